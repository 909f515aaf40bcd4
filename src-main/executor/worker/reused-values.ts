// Node values of another run, reused for rows that need not run these nodes again. One line per row, empty for none:
// `[["domain",{"host":"x.org"}],["hot"]]`. A node without a value was skipped.
import { freezeParsed } from './plain-value.ts';

/** Values by node id; `undefined` for a node that was skipped. */
export type ReusedValues = ReadonlyMap<string, unknown>;

/** The values of each row of a batch, in row order; undefined for a row that has none. */
export function readReusedValues(lines: Uint8Array): (ReusedValues | undefined)[] {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').split('\n');
  return texts.map((text) => (text === '' ? undefined : new Map(parseLine(text))));
}

const parseLine = (text: string): [string, unknown][] =>
  // Written by ourselves (services/reused-values.ts).
  (JSON.parse(text) as [string, unknown?][]).map(([nodeId, value]) => [nodeId, freezeParsed(value)]);
