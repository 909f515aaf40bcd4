// Bodies that were sent encoded, undone one after the other: a thousand bytes can become all that a body may be.
import type { Transform } from 'node:stream';
import { createUnzip } from 'node:zlib';
import type { ByteBudget } from './byte-budget.ts';
import { CallFault, tooLarge } from './call-fault.ts';
import { HeldBody } from './held-body.ts';

type DecodeBounds = {
  readonly budget: ByteBudget;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
};
export type Decode = (bytes: Buffer, bounds: DecodeBounds) => Promise<Buffer>;

type MakeDecoder = () => Transform;

// Not Brotli and Zstandard: with a few bytes they claim 16 MB and more for one body, and who is not offered them sends
// gzip instead.
const makerOf: ReadonlyMap<string, MakeDecoder> = new Map([
  ['gzip', () => createUnzip()],
  ['x-gzip', () => createUnzip()],
  ['deflate', () => createUnzip()],
]);

/** What is asked for, as the `Accept-Encoding` header names it. */
export const acceptedEncodings = 'gzip, deflate';

/** Nobody encodes more often. */
const mostEncodings = 2;

export class Decoding {
  #turn: Promise<unknown> = Promise.resolve();

  /** What undoes a `Content-Encoding`. Throws a `CallFault` for one that is not understood. */
  of(encoding = ''): Decode {
    const names = encoding
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'identity');
    const makers = names.flatMap((name) => makerOf.get(name) ?? []);
    if (names.length > mostEncodings || makers.length < names.length)
      throw new CallFault(`was answered with a body that is encoded as "${names.join(', ').slice(0, 50)}"`);
    // Answers without a body (to HEAD, 204, 304) may still name its encoding.
    return async (bytes, bounds) =>
      makers.length === 0 || bytes.length === 0
        ? bytes
        : this.#inTurn(() => undo(bytes, { ...bounds, names, makers }));
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act);
    // Whoever waits for it hears of its failure; the next has its turn all the same.
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

type Undoing = DecodeBounds & { readonly names: readonly string[]; readonly makers: readonly MakeDecoder[] };

/** From the last encoding to the first. */
async function undo(bytes: Buffer, { names, makers, ...bounds }: Undoing): Promise<Buffer> {
  let decoded = bytes;
  try {
    bounds.signal.throwIfAborted();
    for (const make of makers.toReversed()) decoded = await decodeOnce(decoded, make(), bounds);
    return decoded;
  } catch (error) {
    bounds.signal.throwIfAborted();
    if (error instanceof CallFault || !(error instanceof Error && 'code' in error)) throw error;
    throw new CallFault(`was answered with a body that is not ${names.join(', ')} (${String(error.code)})`);
  }
}

async function decodeOnce(
  bytes: Buffer,
  decoder: Transform,
  { budget, maxBytes, signal }: DecodeBounds,
): Promise<Buffer> {
  const held = new HeldBody(budget);
  try {
    decoder.end(bytes);
    // Leaving the loop ends the decoder.
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      if (held.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
      await held.add(chunk, signal);
    }
    return held.toBytes();
  } finally {
    held.release();
  }
}
