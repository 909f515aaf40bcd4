// A completed run's outputs as one JSON object, written as they are read: memory does not grow with the run.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import { rowId } from '../../domain/run/row-id.ts';

/** Consecutive outputs: whole lines of JSON, each ended by a newline; an empty line has no entry. */
export type OutputLines = { readonly firstRow: number; readonly bytes: Uint8Array };

export type OutputStream = {
  readonly runId: string;
  readonly lines: AsyncIterable<OutputLines>;
  readonly log: Log;
};

const newline = 0x0a;

/**
 * Answers `{"success":true,"data":{"<row id>":<line>,…}}` and resolves when all is handed over or the client has
 * gone. Throws what goes wrong before the first byte; after that the connection is broken off, so that half an
 * answer is never taken for a whole one.
 */
export async function streamOutput(
  response: ServerResponse,
  { runId, lines, log }: OutputStream,
): Promise<void> {
  const batches = lines[Symbol.asyncIterator]();
  let batch = await batches.next();
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  try {
    await write(response, Buffer.from('{"success":true,"data":{'));
    let isFirst = true;
    while (batch.done !== true && !response.destroyed) {
      const entries = entriesOf(runId, batch.value, isFirst);
      isFirst &&= entries.length === 0;
      await write(response, entries);
      batch = await batches.next();
    }
    response.end('}}');
  } catch (error) {
    log.error({ runId, error }, 'an output could not be read to its end');
    response.destroy();
  } finally {
    await batches.return?.();
  }
}

/** Waits for a slow client, and no longer for one that has gone. */
async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || response.destroyed || response.write(bytes)) return;
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  response.once('close', stop);
  await once(response, 'drain', { signal: gone.signal }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  response.off('close', stop);
}

/** `"<row id>":<line>` for each line that is not empty, with a comma before each but the very first. */
export function entriesOf(runId: string, { firstRow, bytes }: OutputLines, isFirst: boolean): Buffer {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = Buffer.allocUnsafe(source.length + countLines(source) * longestEntryHead(runId));
  let length = 0;
  let row = firstRow;
  for (let start = 0, end = 0; (end = source.indexOf(newline, start)) >= 0; start = end + 1, row += 1) {
    if (end === start) continue;
    length += entries.write(`${isFirst && length === 0 ? '' : ','}"${rowId(runId, row)}":`, length, 'latin1');
    length += source.copy(entries, length, start, end);
  }
  return entries.subarray(0, length);
}

/** Comma, quotes and colon beside the row id, whose number has at most 16 digits. */
const longestEntryHead = (runId: string): number => rowId(runId, 1).length + 10 + 4;

function countLines(source: Buffer): number {
  let lines = 0;
  for (let at = source.indexOf(newline); at >= 0; at = source.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
