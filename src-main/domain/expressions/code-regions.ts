// The JavaScript in one text of a workflow file: the whole text, or each placeholder of a template.
import type { AnyNode } from 'acorn';
import type { CodeKind } from './find-references.ts';
import { readFunctionBody, readLeadingExpression } from './syntax.ts';

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
