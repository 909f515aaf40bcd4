// Rows, and why they failed, as an answer: streamed as they are read, at the pace of the client.
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { FailureHead } from '../../contract/index.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowNumberAt, type RowLines } from '../../domain/run/row-numbers.ts';
import { writeTimeoutMs, writeOut, writeSlices, type WriteTimeout } from '../write-out.ts';

export type StreamDeps = { readonly clock: Clock; readonly log: Log };

const timeoutOf = ({ clock }: StreamDeps): WriteTimeout => ({ clock, ms: writeTimeoutMs });

/** Batches above this size, in bytes, are written row by row and not copied. */
const largeBytes = 1_000_000;

/**
 * Answers with one line per row, `[number,row]`. Throws an error that occurs before the first byte. A later error breaks
 * the connection, so that no client takes some of the rows for all of them.
 */
export const streamRows = (
  context: Context,
  rows: AsyncIterable<RowLines>,
  deps: StreamDeps,
): Promise<void> =>
  stream(context, rows, {
    ...deps,
    write: (response, batch) => writeNumbered(response, batch, timeoutOf(deps)),
  });

/** Answers with a head, and one line per failed row, `[number,node,message]`. Throws as `streamRows`. */
export const streamFailures = (
  context: Context,
  { head, failures }: { readonly head: FailureHead; readonly failures: AsyncIterable<RowFailure> },
  deps: StreamDeps,
): Promise<void> =>
  stream(context, failureChunks(head, failures), {
    ...deps,
    write: (response, chunk) => writeOut(response, Buffer.from(chunk), timeoutOf(deps)),
  });

/** Maximum characters of a message; one may be as long as a page. */
const maxMessageLength = 1_000;
/** Characters of a chunk. */
const chunkLength = 64_000;

async function* failureChunks(
  head: FailureHead,
  failures: AsyncIterable<RowFailure>,
): AsyncGenerator<string> {
  let chunk = `${JSON.stringify(head)}\n`;
  for await (const { row, nodeId, message } of failures) {
    chunk += `${JSON.stringify([row, nodeId, beginning(message, maxMessageLength)])}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

type StreamOptions<Batch> = StreamDeps & {
  readonly write: (response: ServerResponse, batch: Batch) => Promise<void>;
};

async function stream<Batch>(
  context: Context,
  source: AsyncIterable<Batch>,
  { log, write }: StreamOptions<Batch>,
): Promise<void> {
  const { res: response } = context;
  const batches = source[Symbol.asyncIterator]();
  let batch = await batches.next();
  context.respond = false;
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  try {
    while (batch.done !== true && !response.destroyed) {
      await write(response, batch.value);
      batch = await batches.next();
    }
    response.end();
  } catch (error) {
    log.error({ error }, 'rows could not be read to their end');
    response.destroy();
  } finally {
    await batches.return?.();
  }
}

/** Writes rows with their numbers. Large rows are not copied, however slowly the client reads them. */
async function writeNumbered(
  response: ServerResponse,
  lines: RowLines,
  timeout: WriteTimeout,
): Promise<void> {
  if (lines.bytes.length <= largeBytes) return writeOut(response, numbered(lines), timeout);
  let index = 0;
  for (const line of eachLine(lines.bytes)) {
    await writeOut(response, Buffer.from(`[${rowNumberAt(lines, index)},`, 'latin1'), timeout);
    await writeSlices(response, line, timeout);
    await writeOut(response, end, timeout);
    index += 1;
  }
}

function numbered(lines: RowLines): Buffer {
  const chunks: Uint8Array[] = [];
  let index = 0;
  for (const line of eachLine(lines.bytes)) {
    chunks.push(Buffer.from(`[${rowNumberAt(lines, index)},`, 'latin1'), line, end);
    index += 1;
  }
  return Buffer.concat(chunks);
}

const end = Buffer.from(']\n');

/** The value of a query parameter; undefined without it. */
export const queryOf = ({ querystring }: Context, name: string): string | undefined =>
  new URLSearchParams(querystring).get(name) ?? undefined;
