// A completed run's outputs as one JSON object, written as they are read: memory does not grow with the run.
import type { ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import type { RowPiece } from '../../domain/run/row-numbers.ts';
import { writeOut } from '../write-out.ts';
import { OutputEntries } from './output-entries.ts';

export type OutputStream = {
  readonly runId: string;
  /** Outputs as JSON; an empty line has no entry. */
  readonly lines: AsyncIterable<RowPiece>;
  readonly log: Log;
  /** Is shown each piece right before it is sent. */
  readonly seen?: (piece: Buffer) => void;
};

/**
 * Maximum bytes gathered before they are sent. Small answers go out in one piece, since each piece wakes the client.
 */
const maxBufferedBytes = 64 * 1024;

/**
 * Answers `{"success":true,"data":{"<row id>":<line>,…}}` and resolves when all is handed over or the client has
 * gone. Throws what goes wrong before the first byte is sent; after that the connection is broken off, so that half an
 * answer is never taken for a whole one.
 */
export async function streamOutput(
  response: ServerResponse,
  { runId, lines, log, seen }: OutputStream,
): Promise<void> {
  const buffered: Buffer[] = [];
  let bytes = 0;
  const write = async (piece: Buffer): Promise<void> => {
    if (bytes > 0 && bytes + piece.length > maxBufferedBytes) {
      const ready = joined(buffered.splice(0));
      bytes = 0;
      begin(response);
      seen?.(ready);
      await writeOut(response, ready);
    }
    buffered.push(piece);
    bytes += piece.length;
  };
  try {
    await write(Buffer.from('{"success":true,"data":{'));
    const entries = new OutputEntries(runId);
    for await (const batch of lines) {
      for (const piece of entries.of(batch)) await write(piece);
      if (response.destroyed) return;
    }
    await write(Buffer.from('}}'));
    const last = joined(buffered);
    seen?.(last);
    if (response.headersSent) return void response.end(last);
    begin(response);
    // Node would add it by itself, but then the API log could not read it.
    response.setHeader('Content-Length', last.length);
    response.end(last);
  } catch (error) {
    if (!response.headersSent) throw error;
    log.error({ runId, error }, 'an output could not be read to its end');
    response.destroy();
  }
}

function begin(response: ServerResponse): void {
  if (response.headersSent) return;
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}
