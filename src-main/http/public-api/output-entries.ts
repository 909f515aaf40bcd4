// The entries of an output's `data` as bytes. Who calls: streamOutput.
import { rowIdsOf } from '../../domain/run/row-id.ts';
import { rowNumberAt, type RowPiece } from '../../domain/run/row-numbers.ts';

const pieceBytes = 64 * 1024;
/** Looked through at once; no more than half a piece, so that what stands before a line fits in with it. */
const sliceBytes = 32 * 1024;

/**
 * `"<row id>":<line>` for each line that is not empty, with a comma before each but the very first, in pieces of a
 * bounded size: a reader that has stopped must not cost a second copy of all that was read for it.
 *
 * Bytes are handled as text of one character each: cutting and joining it is the engine's own work, and takes half the
 * time of a loop over the bytes.
 */
export class OutputEntries {
  readonly #rowId: (row: number) => string;
  #isFirst = true;
  /** The last line goes on. */
  #isInside = false;

  constructor(runId: string) {
    this.#rowId = rowIdsOf(runId);
  }

  /** Yields the entries of these lines, which continue those of the previous call. */
  *of(lines: RowPiece): Generator<Buffer> {
    let text = '';
    let index = 0;
    for (const parts of slices(lines.bytes)) {
      for (let at = 0; at < parts.length; at += 1) {
        if (at > 0) {
          this.#isInside = false;
          index += 1;
        }
        const part = parts[at] ?? '';
        if (part === '') continue;
        const entry = this.#isInside ? part : this.#head(rowNumberAt(lines, index)) + part;
        this.#isInside = true;
        if (text.length + entry.length > pieceBytes) {
          yield Buffer.from(text, 'latin1');
          text = '';
        }
        text += entry;
      }
    }
    if (text !== '') yield Buffer.from(text, 'latin1');
  }

  #head(row: number): string {
    const comma = this.#isFirst ? '' : ',';
    this.#isFirst = false;
    return `${comma}"${this.#rowId(row)}":`;
  }
}

/** Slices of the bytes, each cut at its newlines. */
function* slices({ buffer, byteOffset, byteLength }: Uint8Array): Generator<string[]> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let from = 0; from < bytes.length; from += sliceBytes)
    yield bytes.toString('latin1', from, from + sliceBytes).split('\n');
}
