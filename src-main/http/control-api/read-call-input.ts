import type { IncomingMessage } from 'node:http';
import { callInputInvalid, callInputTooLarge } from '../../domain/errors.ts';

/** A call carries a few names and ids; rows travel through the public API. */
export const maxCallBytes = 1_000_000;

/**
 * The JSON value of a call's body. Throws `invalid_input` for anything but one JSON value in UTF-8 sent as
 * `application/json`, and `body_too_large` before more than the cap has been read.
 */
export async function readCallInput(request: IncomingMessage): Promise<unknown> {
  assertJsonType(request);
  if (Number(request.headers['content-length'] ?? 0) > maxCallBytes) throw callInputTooLarge(maxCallBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxCallBytes) throw callInputTooLarge(maxCallBytes);
    chunks.push(chunk);
  }
  return parseJson(decodeUtf8(Buffer.concat(chunks)));
}

function assertJsonType(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw callInputInvalid('the Content-Type must be application/json in UTF-8');
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw callInputInvalid('a Content-Encoding is not accepted');
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw callInputInvalid('it is not UTF-8', cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw callInputInvalid('it is not JSON', cause);
  }
}
