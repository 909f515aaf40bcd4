// A completed run's outputs as one JSON object, written as they are read: memory does not grow with the run.
import type { ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import { rowId } from '../../domain/run/row-id.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { rowNumberAt, type RowPiece } from '../../domain/run/row-numbers.ts';
import { writeOut } from '../write-out.ts';

export type OutputStream = {
  readonly runId: string;
  /** Outputs as JSON; an empty line has no entry. */
  readonly lines: AsyncIterable<RowPiece>;
  readonly log: Log;
  /** Is shown each piece that is written; it is good until the next one. */
  readonly seen?: (piece: Buffer) => void;
};

/**
 * Answers `{"success":true,"data":{"<row id>":<line>,…}}` and resolves when all is handed over or the client has
 * gone. Throws what goes wrong before the first byte; after that the connection is broken off, so that half an
 * answer is never taken for a whole one.
 */
export async function streamOutput(
  response: ServerResponse,
  { runId, lines, log, seen }: OutputStream,
): Promise<void> {
  const batches = lines[Symbol.asyncIterator]();
  let batch = await batches.next();
  const write = (piece: Buffer): Promise<void> => {
    seen?.(piece);
    return writeOut(response, piece);
  };
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  try {
    await write(Buffer.from('{"success":true,"data":{'));
    const entries = new OutputEntries(runId);
    while (batch.done !== true && !response.destroyed) {
      for (const piece of entries.of(batch.value)) await write(piece);
      batch = await batches.next();
    }
    const tail = Buffer.from('}}');
    seen?.(tail);
    response.end(tail);
  } catch (error) {
    log.error({ runId, error }, 'an output could not be read to its end');
    response.destroy();
  } finally {
    await batches.return?.();
  }
}

/**
 * `"<row id>":<line>` for each line that is not empty, with a comma before each but the very first, in pieces of a
 * bounded size: a reader that has stopped must not cost a second copy of what was read for it.
 */
export class OutputEntries {
  readonly #runId: string;
  #separator = '';
  /** The last line goes on. */
  #isInside = false;

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** What follows upon what it was asked for before. */
  *of(lines: RowPiece): Generator<Buffer> {
    let piece = new Piece();
    for (const part of this.#partsOf(lines)) {
      for (let taken = piece.add(part, 0); taken < part.length; taken += piece.add(part, taken)) {
        yield piece.bytes;
        piece = new Piece();
      }
    }
    if (piece.bytes.length > 0) yield piece.bytes;
  }

  *#partsOf(lines: RowPiece): Generator<Buffer> {
    const { buffer, byteOffset, byteLength } = lines.bytes;
    const source = Buffer.from(buffer, byteOffset, byteLength);
    for (let start = 0, index = 0; start < source.length; index += 1) {
      const found = source.indexOf(newline, start);
      const end = found < 0 ? source.length : found;
      if (end > start && !this.#isInside) yield this.#headOf(rowNumberAt(lines, index));
      yield source.subarray(start, end);
      this.#isInside = found < 0;
      start = end + 1;
    }
  }

  #headOf(row: number): Buffer {
    const head = Buffer.from(`${this.#separator}"${rowId(this.#runId, row)}":`, 'latin1');
    this.#separator = ',';
    return head;
  }
}

const pieceBytes = 64 * 1024;

/** Gathers small parts, so that each is not a write of its own. */
class Piece {
  readonly #buffer = Buffer.allocUnsafe(pieceBytes);
  #length = 0;

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** How many bytes of the part, from that offset on, there was room for. */
  add(part: Buffer, from: number): number {
    const taken = part.copy(this.#buffer, this.#length, from);
    this.#length += taken;
    return taken;
  }
}
