// The rows of a file that the app sends whole: the first line of the body says how it is read, the rest is the file.
import type { Context } from 'koa';
import { sentFile } from '../../../contract/rowsets/file-rows.ts';
import { bodyTooLarge, invalidBody } from '../../../domain/request-errors.ts';
import { parseReadOptions } from '../../../domain/rows/files/read-options.ts';
import { countLines } from '../../../domain/rows/line-bytes.ts';
import type { RowsFileService } from '../../../services/rowsets/rows-file-service.ts';
import { notesOf } from '../../call-notes.ts';
import type { receiveRows } from '../../receive-rows.ts';
import { readBody } from '../../request-body.ts';

/** Maximum bytes of the first line. */
const maxHeadBytes = 5_000_000;
const newline = 0x0a;

type FileReceiver = Omit<Parameters<typeof receiveRows>[1], 'head'> & {
  readonly files: Pick<RowsFileService, 'read'>;
};

/**
 * The number of rows, once all were handed over. Throws `invalid_body`, `invalid_input` for a file that cannot be read,
 * `body_too_large`, `request_timeout`.
 */
export async function receiveFile(context: Context, receiver: FileReceiver): Promise<number> {
  const { settings, clock, write, files } = receiver;
  const { maxBodyBytes, maxRows } = settings();
  const body = readBody(context.req, { response: context.res, maxBytes: maxBodyBytes, clock });
  const { line, rest } = await firstLine(body);
  notesOf(context).sent.take(line);
  let rows = 0;
  const file = { bytes: piecesOf(rest, body), maxBytes: maxBodyBytes };
  for await (const lines of files.read(readingIn(line), file)) {
    rows += countLines(lines);
    if (rows > maxRows) throw bodyTooLarge(`it has more than ${maxRows} rows`);
    if (lines.length > 0) await write(lines);
  }
  return rows;
}

async function firstLine(body: AsyncGenerator<Buffer>): Promise<{ line: Buffer; rest: Buffer }> {
  let head = Buffer.alloc(0);
  // Not in a loop over the body: its end would end the body.
  for (let next = await body.next(); next.done !== true; next = await body.next()) {
    head = Buffer.concat([head, next.value]);
    const end = head.indexOf(newline);
    if (end >= 0) return { line: head.subarray(0, end), rest: head.subarray(end + 1) };
    if (head.length > maxHeadBytes) throw invalidBody('its first line is too long');
  }
  throw invalidBody('its first line must say how the file is read');
}

async function* piecesOf(rest: Buffer, body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  if (rest.length > 0) yield rest;
  yield* body;
}

function readingIn(line: Buffer) {
  const parsed = sentFile.safeParse(json(line.toString('utf8')));
  if (!parsed.success)
    throw invalidBody(
      parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '),
    );
  const { name, options, columns } = parsed.data;
  return {
    name,
    options: parseReadOptions(options),
    columns: columns.map((column) => ({ target: undefined, ...column })),
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // which is no reading, as the schema says
  }
}
