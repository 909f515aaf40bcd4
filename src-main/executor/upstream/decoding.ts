// Decodes encoded bodies, one at a time: a thousand bytes can expand to the maximum size of a body.
import type { Transform } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { blockBytes, ByteBudget } from './byte-budget.ts';
import { CallError, tooLarge } from './call-error.ts';
import { BufferedBody } from './buffered-body.ts';

type DecodeBounds = {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Waited for before a large body is put together, and before any is decoded. */
  readonly room: () => Promise<void>;
};
/** Puts a body together and undoes its encoding; what is held is let go of. */
export type Decode = (body: BufferedBody, bounds: DecodeBounds) => Promise<Buffer>;

type MakeDecoder = () => Transform;

// Not Brotli and Zstandard: with a few bytes they claim 16 MB and more for one body, and who is not offered them sends
// gzip instead.
const makerOf: ReadonlyMap<string, MakeDecoder> = new Map([
  ['gzip', () => createUnzip()],
  ['x-gzip', () => createUnzip()],
  ['deflate', () => createUnzip()],
]);

/** Value of the `Accept-Encoding` header of calls. */
export const acceptedEncodings = 'gzip, deflate';

/** Maximum encodings of one body; servers use no more in practice. */
const maxEncodings = 2;

export class Decoding {
  /** Budget of the one body being decoded, which therefore never waits for room. */
  readonly #budget: ByteBudget;
  #lastDecoding: Promise<unknown> = Promise.resolve();

  /** @param maxBytes that a body may have, decoded */
  constructor(maxBytes: number) {
    this.#budget = new ByteBudget(maxBytes + blockBytes);
  }

  /** The function that undoes a `Content-Encoding`. Throws a `CallError` for an unsupported one. */
  decoderFor(encoding = ''): Decode {
    const names = encoding
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'identity');
    const makers = names.flatMap((name) => makerOf.get(name) ?? []);
    if (names.length > maxEncodings || makers.length < names.length)
      throw new CallError(`was answered with a body that is encoded as "${names.join(', ').slice(0, 50)}"`);
    // Answers without a body (to HEAD, 204, 304) may still name its encoding.
    return async (body, bounds) => {
      if (makers.length === 0 || body.size === 0) return joinBlocks(body, bounds);
      // Before the turn, which all runs share: a run that has no room yet keeps only itself waiting.
      await bounds.room();
      return this.#runExclusive(() => decodeBody(body, { ...bounds, names, makers, budget: this.#budget }));
    };
  }

  #runExclusive<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#lastDecoding.then(act);
    // The caller of this turn gets its error; the next turn starts after an error too.
    this.#lastDecoding = result.catch(() => undefined);
    return result;
  }
}

type DecodingRun = DecodeBounds & {
  readonly names: readonly string[];
  readonly makers: readonly MakeDecoder[];
  readonly budget: ByteBudget;
};

/** From the last encoding to the first. */
async function decodeBody(body: BufferedBody, bounds: DecodingRun): Promise<Buffer> {
  const { names, makers } = bounds;
  let encoded = body;
  try {
    bounds.signal.throwIfAborted();
    for (const make of makers.toReversed()) encoded = await decodeOnce(encoded, make(), bounds);
    return encoded.toBytes();
  } catch (error) {
    bounds.signal.throwIfAborted();
    if (error instanceof CallError || !(error instanceof Error && 'code' in error)) throw error;
    throw new CallError(`was answered with a body that is not ${names.join(', ')} (${String(error.code)})`);
  } finally {
    encoded.release();
  }
}

async function decodeOnce(
  encoded: BufferedBody,
  decoder: Transform,
  bounds: DecodingRun,
): Promise<BufferedBody> {
  const { maxBytes, signal, budget } = bounds;
  decoder.end(encoded.toBytes());
  encoded.release();
  const decoded = new BufferedBody(budget);
  try {
    // Leaving the loop ends the decoder.
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      if (decoded.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
      await decoded.append(chunk, signal);
    }
    return decoded;
  } catch (error) {
    decoded.release();
    throw error;
  }
}

/** Below this, bodies do not wait for room: a thousand of them fit into what one large body may take. */
const large = 65_536;

async function joinBlocks(body: BufferedBody, { room }: DecodeBounds): Promise<Buffer> {
  if (body.size > large) await room();
  const bytes = body.toBytes();
  body.release();
  return bytes;
}
