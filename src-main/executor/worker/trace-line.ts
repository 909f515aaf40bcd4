// Writes a row's line of the trace. domain/run/row-trace.ts describes the format. The line is built as text, since thousands
// of rows have one and most of it is numbers.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { maxRowValueBytes, maxValueBytes } from '../../domain/run/trace-form.ts';
import { jsonWithin } from './json-within.ts';
import { nodeEndCodes, type NodeOutcome, type TraceBuffer } from './trace-buffer.ts';

type TracedRow = {
  readonly row: number;
  readonly failure: RowFailure | undefined;
  readonly notes: TraceBuffer;
};

/** The line without values and logs, not ended by a newline. */
export const briefLine = (traced: TracedRow): string => `${head(traced)}}`;

/**
 * The line with values and logs.
 * @param valueOf returns the value of a node by its index: JSON text, a value, or undefined for none
 */
export function fullLine(traced: TracedRow, valueOf: (nodeIndex: number) => NodeValue): string {
  const { notes } = traced;
  const recorded = { values: [] as string[], cut: [] as string[], leftOut: [] as number[] };
  let left = maxRowValueBytes;
  for (let nodeIndex = 0; nodeIndex < notes.nodes.length; nodeIndex += 1) {
    const value = valueOf(nodeIndex);
    if (value === undefined) continue;
    const json = left > 0 ? textOf(value) : undefined;
    if (json === undefined) recorded.leftOut.push(nodeIndex);
    else if (json.isCut) recorded.cut.push(`[${nodeIndex},${JSON.stringify(json.text)}]`);
    else recorded.values.push(`[${nodeIndex},${json.text}]`);
    left -= json === undefined ? 0 : Buffer.byteLength(json.text);
  }
  return [
    head(traced),
    `,"values":[${recorded.values.join(',')}]`,
    recorded.cut.length === 0 ? '' : `,"cut":[${recorded.cut.join(',')}]`,
    recorded.leftOut.length === 0 ? '' : `,"leftOut":[${recorded.leftOut.join(',')}]`,
    optionalFields(notes),
    '}',
  ].join('');
}

/** The fields for logs, tokens and calls. */
const optionalFields = (notes: TraceBuffer): string =>
  [
    listField('logs', notes.logs),
    notes.logsCut ? ',"logsCut":true' : '',
    listField('tokens', tokensOf(notes)),
    listField('replaced', notes.replacedErrors),
    listField('calls', notes.calls),
  ].join('');

const listField = (name: string, list: readonly unknown[]): string =>
  list.length === 0 ? '' : `,"${name}":${JSON.stringify(list)}`;

const tokensOf = ({ tokens }: TraceBuffer): readonly (readonly number[])[] =>
  [...tokens]
    .sort(([one], [other]) => one - other)
    .map(([nodeIndex, { prompt, completion }]) => [nodeIndex, prompt, completion]);

/** The line with only the failure, for runs with too many traces. */
export const failureLine = (failure: RowFailure): string => JSON.stringify(failure);

/** The value that a node returned, or its JSON text; undefined if it has none. */
export type NodeValue = { readonly value: unknown } | { readonly json: string } | undefined;

/** The JSON of a value, cut to its maximum; undefined for a value that is nested too deeply. */
function textOf(nodeValue: Exclude<NodeValue, undefined>): { text: string; isCut: boolean } | undefined {
  try {
    if ('value' in nodeValue) return jsonWithin(nodeValue.value, maxValueBytes);
    if (nodeValue.json.length * 3 <= maxValueBytes) return { text: nodeValue.json, isCut: false };
    return jsonWithin(JSON.parse(nodeValue.json), maxValueBytes);
  } catch {
    // The stack is full. The row itself has completed; its trace lacks this value.
    return undefined;
  }
}

/** How many items and calls the node had, and how many of them `onError` gave; nothing where there is only the node. */
function countsOf({ items, replacedItems, calls }: NodeOutcome): string {
  if (calls > 0) return `,${items - 1},${replacedItems},${calls}`;
  if (items === 0) return '';
  return replacedItems === 0 ? `,${items - 1}` : `,${items - 1},${replacedItems}`;
}

function head({ row, failure, notes }: TracedRow): string {
  const start = failure === undefined ? `{"row":${row}` : failureLine(failure).slice(0, -1);
  const { nodes } = notes;
  let cells = '';
  for (let nodeIndex = 0; nodeIndex < nodes.length; nodeIndex += 1) {
    const note = nodes[nodeIndex];
    if (note === undefined) continue;
    if (nodeIndex > 0) cells += ',';
    const { end, micros, attempts, items, calls } = note;
    if (end === nodeEndCodes.done && attempts === 1 && items === 0 && calls === 0) cells += micros;
    else if (end === nodeEndCodes.notReached) cells += `[${end},0,0]`;
    else cells += `[${end},${micros},${attempts}${countsOf(note)}]`;
  }
  return `${start},"nodes":[${cells}]`;
}
