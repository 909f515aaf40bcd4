// The values of a preview for the ends of the lines that they come from.
import type { CheckedText, PreviewedField, PreviewedNode, PreviewedRow, PreviewedValue } from '#contract';
import { inlineValue } from '../../../format/inline-value.ts';

/** A value, or an error, for the end of a line. */
export type ValueOfLine = { readonly line: number; readonly text: string; readonly isError?: boolean };

type OutlineNode = CheckedText['nodes'][number];

/** Characters of a value; the tab of values has all of it. */
const maxCharacters = 100;

/**
 * Values of the row by the outline of the same text, with one for each line.
 * @param fieldsOf node whose expressions the row has with their values
 */
export function lineValuesOf(
  nodes: readonly OutlineNode[],
  row: PreviewedRow,
  fieldsOf?: string,
): readonly ValueOfLine[] {
  const outlines = new Map(nodes.map((node) => [node.id, node]));
  const lines = new Map<number, ValueOfLine>();
  const opened = fieldsOf === undefined ? undefined : outlines.get(fieldsOf);
  if (opened !== undefined)
    for (const [line, text] of fieldTexts(opened, row.fields ?? [])) lines.set(line, { line, text });
  for (const node of row.nodes) {
    const outline = outlines.get(node.nodeId);
    if (outline === undefined) continue;
    for (const [line, text] of memberTexts(outline, node.value)) lines.set(line, { line, text });
    const own = ownValue(node, outline.first);
    if (own !== undefined) lines.set(own.line, own);
  }
  return [...lines.values()].map((value) => ({ ...value, text: cutText(value.text) }));
}

function ownValue(
  { value, error, state, from, reason }: PreviewedNode,
  first: number,
): ValueOfLine | undefined {
  if (error !== undefined) return { line: error.line ?? first, text: error.message, isError: true };
  if (value !== undefined) {
    const source = from === undefined || from === 'called' ? '' : `${from === 'kept' ? 'as if' : from}: `;
    return { line: first, text: `${source}${inlineValue(value)}` };
  }
  const end = { skipped: 'skipped', notCalled: 'not called', notReached: 'not reached' }[state as string];
  return end === undefined
    ? undefined
    : { line: first, text: reason === undefined ? end : `${end}: ${reason}` };
}

/**
 * Texts of expressions, by line. An expression without a value is left out, such as that of a case that the row does not take;
 * an error that matters is that of the node.
 */
function fieldTexts(
  { members = [], expressions = [] }: OutlineNode,
  fields: readonly PreviewedField[],
): ReadonlyMap<number, string> {
  // Names of headers are in lower case among the fields.
  const keyOf = (path: PreviewedField['path']): string => JSON.stringify(path).toLowerCase();
  const lines = new Map(expressions.map(([path, line]) => [keyOf(path), line]));
  const memberLines = new Map(members);
  return textsByLine(
    fields.flatMap(({ path, value }) => {
      const name = String(path.at(-1));
      const line = lines.get(keyOf(path)) ?? (path.length === 2 ? memberLines.get(name) : undefined);
      return value === undefined || line === undefined ? [] : [{ name, line, text: inlineValue(value) }];
    }),
  );
}

/** Texts of the members, by line. */
function memberTexts(
  { members = [] }: OutlineNode,
  value: PreviewedValue | undefined,
): ReadonlyMap<number, string> {
  if (members.length === 0 || value?.kind !== 'object' || value.length !== undefined) return new Map();
  const known = JSON.parse(value.text) as Readonly<Record<string, unknown>>;
  return textsByLine(
    members.flatMap(([name, line]) =>
      Object.hasOwn(known, name) ? [{ name, line, text: jsonText(known[name]) }] : [],
    ),
  );
}

type NamedText = { readonly name: string; readonly line: number; readonly text: string };

/** Alone, or with their names where a line has several. */
function textsByLine(texts: readonly NamedText[]): ReadonlyMap<number, string> {
  const byLine = new Map<number, NamedText[]>();
  for (const each of texts) byLine.set(each.line, [...(byLine.get(each.line) ?? []), each]);
  return new Map(
    [...byLine].map(([line, all]) => {
      const [first, second] = all;
      const named = all.map(({ name, text }) => `${nameText(name)}: ${text}`);
      return [line, second === undefined ? (first?.text ?? '') : `{ ${named.join(', ')} }`];
    }),
  );
}

const nameText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Texts and numbers are written as in an object. */
const jsonText = (value: unknown): string => inlineValue({ kind: 'object', text: JSON.stringify(value) });

const cutText = (text: string): string =>
  text.length <= maxCharacters ? text : `${[...text.slice(0, maxCharacters)].slice(0, -1).join('')}…`;
