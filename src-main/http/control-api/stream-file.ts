// A file as an answer: written as its pieces are made, at the pace of the client.
import type { Context } from 'koa';
import { writeSlices, writeTimeoutMs } from '../write-out.ts';
import type { StreamDeps } from './stream-rows.ts';

type StreamedFile = StreamDeps & {
  readonly text: AsyncGenerator<string | Uint8Array>;
  readonly type: string;
};

/** Bytes are not copied: a sheet of a workbook has up to 200 MB. */
const bytesOf = (piece: string | Uint8Array): Buffer =>
  typeof piece === 'string'
    ? Buffer.from(piece)
    : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);

/** Throws an error that occurs before the first byte; a later one breaks the connection. */
export async function streamFile(context: Context, { text, type, clock, log }: StreamedFile): Promise<void> {
  const { res: response } = context;
  let piece = await text.next();
  context.respond = false;
  response.writeHead(200, { 'Content-Type': type });
  try {
    while (piece.done !== true && !response.destroyed) {
      await writeSlices(response, bytesOf(piece.value), { clock, ms: writeTimeoutMs });
      piece = await text.next();
    }
    response.end();
  } catch (error) {
    if (!response.destroyed) log.error({ error }, 'a file could not be written to its end');
    response.destroy();
  } finally {
    await text.return(undefined);
  }
}
