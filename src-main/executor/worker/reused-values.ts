// Values that nodes had in another run, given to rows that need not run these nodes again. One line a row, empty for
// none: `[["domain",{"host":"x.org"}],["hot"]]`, a node without a value being one that was skipped.
import { freezeParsed } from './plain-value.ts';

/** By the node's id; `undefined`: the node has no value. */
export type ReusedValues = ReadonlyMap<string, unknown>;

/** The values of each row of a batch, in row order; undefined for a row that has none. */
export function readReusedValues(lines: Uint8Array): (ReusedValues | undefined)[] {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').split('\n');
  return texts.map((text) => (text === '' ? undefined : new Map(parseLine(text))));
}

const parseLine = (text: string): [string, unknown][] =>
  // Written by ourselves (services/reused-values.ts).
  (JSON.parse(text) as [string, unknown?][]).map(([nodeId, value]) => [nodeId, freezeParsed(value)]);
