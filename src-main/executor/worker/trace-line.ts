// Writes a row's line of the trace. domain/results/row-trace.ts describes the format. The line is built as text, since thousands
// of rows have one and most of it is numbers.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { maxRowValueBytes, maxValueBytes } from '../../domain/results/trace-form.ts';
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
  [...(tokens ?? [])]
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

// JSON text of a node's value, or the beginning of a text that is too large to keep. The work is proportional to the
// text that is kept. Who calls: traces, with plain data that no code changes.

type JsonWithin = { readonly text: string; readonly isCut: boolean };

/** @param most maximum size in bytes; a cut text may be slightly longer */
export function jsonWithin(value: unknown, most: number): JsonWithin {
  if (isSurelySmall(value, { left: most })) {
    const text = JSON.stringify(value) ?? 'null';
    if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return { text, isCut: false };
    return { text: beginning(text, most), isCut: true };
  }
  const pieces: string[] = [];
  writeBeginning(value, { pieces, left: most });
  return { text: beginning(pieces.join(''), most), isCut: true };
}

/** The first `most` bytes of the text, without half of a surrogate pair at the end. */
function beginning(text: string, most: number): string {
  let end = Math.min(text.length, most);
  while (Buffer.byteLength(text.slice(0, end)) > most) end = Math.floor(end * 0.9);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}

/** True if the value fits into the room; it stops counting at the limit. */
function isSurelySmall(value: unknown, room: { left: number }): boolean {
  if (typeof value === 'string') room.left -= value.length;
  room.left -= 1;
  if (room.left < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((entry) => isSurelySmall(entry, room));
  return Object.entries(value).every(([key, entry]) => {
    room.left -= key.length;
    return isSurelySmall(entry, room);
  });
}

type Beginning = { readonly pieces: string[]; left: number };

function write(out: Beginning, piece: string): void {
  out.pieces.push(piece);
  out.left -= piece.length;
}

function writeBeginning(value: unknown, out: Beginning): void {
  if (out.left <= 0) return;
  if (typeof value === 'string') return write(out, JSON.stringify(value.slice(0, out.left)));
  if (typeof value !== 'object' || value === null) return write(out, JSON.stringify(value) ?? 'null');
  const isList = Array.isArray(value);
  write(out, isList ? '[' : '{');
  let isFirst = true;
  for (const key in value) {
    if (out.left <= 0) return;
    if (!isFirst) write(out, ',');
    isFirst = false;
    if (!isList) write(out, `${JSON.stringify(key)}:`);
    writeBeginning((value as Record<string, unknown>)[key], out);
  }
  write(out, isList ? ']' : '}');
}
