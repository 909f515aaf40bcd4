// Writes a run's stored outputs as JSON or NDJSON without parsing them. Pieces have a bounded size, however large an
// output is. The text equals that of output-text.ts.
import { newline } from '../domain/rows/line-bytes.ts';
import type { RowPiece } from '../domain/run/row-numbers.ts';

type Frame = {
  readonly first: string;
  readonly between: string;
  readonly after: string;
  readonly end: string;
  readonly empty: string;
};

const frames = {
  json: { first: '[\n', between: ',\n', after: '', end: '\n]\n', empty: '[]\n' },
  ndjson: { first: '', between: '', after: '\n', end: '', empty: '' },
} as const satisfies Record<string, Frame>;

/** One element or line a row, in row order; `null` for a row without output. */
export async function* outputPieces(
  pieces: AsyncIterable<RowPiece>,
  format: keyof typeof frames,
): AsyncGenerator<Uint8Array> {
  const frame = frames[format];
  let lead: string | undefined;
  let isInside = false;
  for await (const { bytes } of pieces) {
    const parts: Uint8Array[] = [];
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(newline, start);
      const end = found < 0 ? bytes.length : found;
      if (!isInside) {
        lead = lead === undefined ? frame.first : frame.between;
        parts.push(Buffer.from(end === start ? `${lead}null` : lead));
      }
      parts.push(bytes.subarray(start, end));
      if (found >= 0) parts.push(Buffer.from(frame.after));
      isInside = found < 0;
      start = end + 1;
    }
    yield Buffer.concat(parts);
  }
  yield Buffer.from(lead === undefined ? frame.empty : frame.end);
}
