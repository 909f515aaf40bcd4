// The values of a preview for the ends of the lines that they come from.
import type { CheckedText, PreviewedNode, PreviewedRow, PreviewedValue } from '#contract';
import { inlineValue } from '../../format/inline-value.ts';

/** A value, or an error, for the end of a line. */
export type ValueOfLine = { readonly line: number; readonly text: string; readonly isError?: boolean };

type OutlineNode = CheckedText['nodes'][number];

/** Characters of a value; the tab of values has all of it. */
const maxCharacters = 100;

/** Values of the row by the outline of the same text, with one for each line. */
export function lineValuesOf(nodes: readonly OutlineNode[], row: PreviewedRow): readonly ValueOfLine[] {
  const outlines = new Map(nodes.map((node) => [node.id, node]));
  const lines = new Map<number, ValueOfLine>();
  for (const node of row.nodes) {
    const outline = outlines.get(node.nodeId);
    if (outline === undefined) continue;
    for (const [line, text] of memberTexts(outline, node.value)) lines.set(line, { line, text });
    const own = ownValue(node, outline.first);
    if (own !== undefined) lines.set(own.line, own);
  }
  return [...lines.values()].map((value) => ({ ...value, text: cutText(value.text) }));
}

function ownValue({ value, error, state, from }: PreviewedNode, first: number): ValueOfLine | undefined {
  if (error !== undefined) return { line: error.line ?? first, text: error.message, isError: true };
  if (value !== undefined) {
    const source = from === undefined || from === 'called' ? '' : `${from === 'kept' ? 'as if' : from}: `;
    return { line: first, text: `${source}${inlineValue(value)}` };
  }
  const end = { skipped: 'skipped', notCalled: 'not called', notReached: 'not reached' }[state as string];
  return end === undefined ? undefined : { line: first, text: end };
}

/** Texts of the members, by line: alone, or with their names where a line has several. */
function memberTexts(
  { members = [] }: OutlineNode,
  value: PreviewedValue | undefined,
): ReadonlyMap<number, string> {
  if (members.length === 0 || value?.kind !== 'object' || value.length !== undefined) return new Map();
  const known = JSON.parse(value.text) as Readonly<Record<string, unknown>>;
  const byLine = new Map<number, (readonly [string, unknown])[]>();
  for (const [name, line] of members)
    if (Object.hasOwn(known, name)) byLine.set(line, [...(byLine.get(line) ?? []), [name, known[name]]]);
  return new Map(
    [...byLine].map(([line, all]) => [
      line,
      jsonText(all.length === 1 ? all[0]?.[1] : Object.fromEntries(all)),
    ]),
  );
}

/** Texts and numbers are written as in an object. */
const jsonText = (value: unknown): string => inlineValue({ kind: 'object', text: JSON.stringify(value) });

const cutText = (text: string): string =>
  text.length <= maxCharacters ? text : `${[...text.slice(0, maxCharacters)].slice(0, -1).join('')}…`;
