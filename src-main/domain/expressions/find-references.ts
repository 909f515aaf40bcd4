// The references to nodes in one text of a workflow file, found by the syntax tree: with their offsets in that text.
import type { AnyNode } from 'acorn';
import { findNames, type FieldReference, type Names, type NodeReference } from './find-names.ts';
import { hasPlaceholder } from './parse-template.ts';
import { errorName, itemNames, repeatNames } from './scope.ts';
import { readFunctionBody, readLeadingExpression } from './syntax.ts';

/** `text`: an expression behind `=`, a template, or plain text. `expression`: the `=` may be missing. */
export type CodeKind = 'expression' | 'text' | 'body';

export type FoundReferences = {
  readonly references: readonly NodeReference[];
  readonly fieldReferences: readonly FieldReference[];
  readonly unclearRowReads: Names['unclearRowReads'];
  /** True if a mistake in the text may hide further references. */
  readonly hasUnclearReads: boolean;
};

const noReferences = { references: [], fieldReferences: [], unclearRowReads: [] };

export function findReferences(kind: CodeKind, text: string): FoundReferences {
  if (kind === 'body') return inTree(readFunctionBody(text), 0);
  if (text.startsWith('=')) return inExpression(text.slice(1), 1);
  if (kind === 'expression') return inExpression(text, 0);
  return hasPlaceholder(text) ? inTemplate(text) : { ...noReferences, hasUnclearReads: false };
}

function inExpression(text: string, offset: number): FoundReferences {
  const read = readLeadingExpression(text);
  const found = inTree(read, offset);
  return read.ok && read.value.next < text.length ? { ...found, hasUnclearReads: true } : found;
}

function inTree(read: ReturnType<typeof readFunctionBody>, offset: number): FoundReferences {
  if (!read.ok) return { ...noReferences, hasUnclearReads: true };
  const { references, fieldReferences, unclearRowReads, hasUnclearReads } = findNames(read.value.tree, {
    names: [...itemNames, ...repeatNames, errorName],
  });
  const shifted = <T extends NodeReference | FieldReference>(each: T): T => ({
    ...each,
    from: each.from + offset,
    to: each.to + offset,
  });
  return {
    references: references.map(shifted),
    fieldReferences: fieldReferences.map(shifted),
    unclearRowReads: unclearRowReads.map((each) => ({ ...each, offset: each.offset + offset })),
    hasUnclearReads,
  };
}

function inTemplate(text: string): FoundReferences {
  const found: FoundReferences[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const read = readLeadingExpression(text.slice(open + 2));
    found.push(inTree(read, open + 2));
    if (!read.ok || !text.startsWith('}}', open + 2 + read.value.next)) break;
    at = open + 2 + read.value.next + 2;
  }
  const isWhole = text.indexOf('{{', at) < 0;
  return {
    references: found.flatMap(({ references }) => references),
    fieldReferences: found.flatMap(({ fieldReferences }) => fieldReferences),
    unclearRowReads: found.flatMap(({ unclearRowReads }) => unclearRowReads),
    hasUnclearReads: !isWhole || found.some(({ hasUnclearReads }) => hasUnclearReads),
  };
}

/** The JavaScript in one text of a workflow file: the whole text, or each placeholder of a template. */
export type CodeRegion = {
  /** Offset of the code in the text. */
  readonly offset: number;
  readonly code: string;
  readonly tree: AnyNode;
};

/** Those before the first one with a mistake. */
export function codeRegions(kind: CodeKind, text: string): readonly CodeRegion[] {
  if (kind === 'body') {
    const read = readFunctionBody(text);
    return read.ok ? [{ offset: 0, code: text, tree: read.value.tree }] : [];
  }
  if (text.startsWith('=')) return expressionAt(text, 1);
  return kind === 'expression' ? expressionAt(text, 0) : placeholders(text);
}

function expressionAt(text: string, offset: number): readonly CodeRegion[] {
  const code = text.slice(offset);
  const read = readLeadingExpression(code);
  return read.ok && read.value.next >= code.length ? [{ offset, code, tree: read.value.tree }] : [];
}

function placeholders(text: string): readonly CodeRegion[] {
  const regions: CodeRegion[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const offset = open + 2;
    const read = readLeadingExpression(text.slice(offset));
    if (!read.ok || !text.startsWith('}}', offset + read.value.next)) break;
    at = offset + read.value.next + 2;
    regions.push({ offset, code: text.slice(offset, at - 2), tree: read.value.tree });
  }
  return regions;
}
