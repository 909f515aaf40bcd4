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
