import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { parseExactJson } from '../../domain/rows/exact-json.ts';
import { maxPublishBytes } from '../../domain/workflow/publication.ts';
import { callInputInvalid, callInputTooLarge, requestTimedOut } from '../../domain/request-errors.ts';
import { count } from '../../domain/format.ts';

export type CallReading = {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** For the whole body: a client that trickles holds a connection no longer than this. */
  readonly deadlineMs: number;
};

/** A call carries a few names and ids; rows travel through the public API. */
export const callReading = { maxBytes: 1_000_000, deadlineMs: 30_000 } as const;
/** Maximum bytes of a call that carries texts of files. */
export const textCallBytes = 10_000_000;
/** Limits of a call that carries all files of a publication, in base64. */
export const publishReading = { maxBytes: Math.ceil(maxPublishBytes * 1.4), deadlineMs: 120_000 } as const;
/** Limits of a call that carries all rows of a run, as a text of lines. */
export const rowsReading = { maxBytes: 32_000_000, deadlineMs: 120_000 } as const;
/** Limits for reading one short code, from a client that is not authenticated yet. */
export const sessionReading = { maxBytes: 1_000, deadlineMs: 5_000 } as const;

/**
 * The JSON value of a call's body. Throws `invalid_input` for anything but one JSON value in UTF-8 sent as
 * `application/json`, and for too many values in it; `body_too_large` before more than the cap has been read; and
 * `request_timeout` for a body that is not there in time.
 */
export async function readCallInput(request: IncomingMessage, reading: CallReading): Promise<unknown> {
  assertJsonType(request);
  if (Number(request.headers['content-length'] ?? 0) > reading.maxBytes) {
    throw callInputTooLarge(reading.maxBytes);
  }
  const tooLate = deferred<never>();
  const cancel = reading.clock.setTimer(reading.deadlineMs, () => tooLate.reject(requestTimedOut('body')));
  const body = readWhole(request, reading.maxBytes);
  try {
    return parseJson(decodeUtf8(await Promise.race([body, tooLate.promise])));
  } finally {
    cancel();
    // Once the deadline has won the race, no code handles a failure of the body.
    body.catch(() => undefined);
  }
}

async function readWhole(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const meter = new CallMeter();
  let bytes = 0;
  // The connection stays for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw callInputTooLarge(maxBytes);
    meter.add(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
    return parseExactJson(text);
  } catch (cause) {
    throw callInputInvalid('it is not JSON', cause);
  }
}

// Bounds the values of a call's JSON while its body arrives. A body of some megabytes can hold millions of values, which
// would keep the main process busy for seconds once it is parsed and checked.

/** Maximum values in a call, nested ones included: more than the row numbers that fit into one. */
const maxValues = 200_000;
/** Maximum levels of lists and objects in each other. A row has 98 at most. */
const maxDepth = 200;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

class CallMeter {
  #isInText = false;
  #isEscaped = false;
  #depth = 0;
  #values = 1;

  /** Counts what the next bytes of the body hold. Throws `invalid_input` above a limit. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInText) this.#addToText(byte);
      else if (byte === quote) this.#isInText = true;
      else if (byte === comma) this.#values += 1;
      else if (byte === openList || byte === openObject) this.#open();
      else if (byte === closeList || byte === closeObject) this.#depth -= 1;
    }
    if (this.#values > maxValues) throw callInputInvalid(`it has more than ${count(maxValues)} values`);
  }

  #addToText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    if (this.#depth > maxDepth) throw callInputInvalid(`it is nested deeper than ${maxDepth} levels`);
  }
}
