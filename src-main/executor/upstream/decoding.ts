// Decodes encoded bodies, one at a time: a thousand bytes can expand to the maximum size of a body.
import type { Transform } from 'node:stream';
import { createInflateRaw, createUnzip } from 'node:zlib';
import { Mutex } from '../../base/mutex.ts';
import { blockBytes, ByteBudget } from './byte-budget.ts';
import { CallError, tooLarge } from './call-error.ts';
import { BufferedBody } from './buffered-body.ts';

type DecodeBounds = {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Resolves when there is room to join a large body or to decode one. */
  readonly room: () => Promise<void>;
};
/** Joins a body's blocks and decodes them; releases the blocks. */
type Decode = (body: BufferedBody, bounds: DecodeBounds) => Promise<Buffer>;

type MakeDecoder = (encoded: Uint8Array) => Transform;

// Brotli and Zstandard are left out: with a few bytes they claim 16 MB and more for one body, and servers that are not
// offered them send gzip instead.
const makerOf: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['gzip', () => createUnzip()],
  ['x-gzip', () => createUnzip()],
  ['deflate', (encoded) => (isRawDeflate(encoded) ? createInflateRaw() : createUnzip())],
]);

/** True for bytes that begin with no header of zlib (RFC 1950) or gzip: several servers send deflate without one. */
function isRawDeflate([first = 0, second = 0]: Uint8Array): boolean {
  const isZlib = (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
  return !isZlib && !(first === 0x1f && second === 0x8b);
}

/** Value of the `Accept-Encoding` header of calls. */
export const acceptedEncodings = 'gzip, deflate';

/** Maximum encodings of one body; servers use no more in practice. */
const maxEncodings = 2;

export class Decoding {
  /** Budget of the one body being decoded, which therefore never waits for room. */
  readonly #budget: ByteBudget;
  readonly #mutex = new Mutex();

  /** @param maxBytes maximum size of a decoded body */
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
      // Waits for room before decoding, which is exclusive among all runs: a run without room must not block others.
      await bounds.room();
      return this.#mutex.run(() => decodeBody(body, { ...bounds, names, makers, budget: this.#budget }));
    };
  }
}

type DecodingRun = DecodeBounds & {
  readonly names: readonly string[];
  readonly makers: readonly MakeDecoder[];
  readonly budget: ByteBudget;
};

/** Decodes the encodings of a body, the last one first. */
async function decodeBody(body: BufferedBody, bounds: DecodingRun): Promise<Buffer> {
  const { names, makers } = bounds;
  let encoded = body;
  try {
    bounds.signal.throwIfAborted();
    for (const make of makers.toReversed()) encoded = await decodeOnce(encoded, make, bounds);
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
  makeDecoder: MakeDecoder,
  bounds: DecodingRun,
): Promise<BufferedBody> {
  const { maxBytes, signal, budget } = bounds;
  const bytes = encoded.toBytes();
  encoded.release();
  const decoder = makeDecoder(bytes);
  decoder.end(bytes);
  const decoded = new BufferedBody(budget);
  try {
    // Leaving the loop also destroys the decoder.
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

/** Minimum size of bodies that wait for room, in bytes. A thousand smaller ones take no more memory than one large body. */
const large = 65_536;

async function joinBlocks(body: BufferedBody, { room }: DecodeBounds): Promise<Buffer> {
  if (body.size > large) await room();
  const bytes = body.toBytes();
  body.release();
  return bytes;
}
