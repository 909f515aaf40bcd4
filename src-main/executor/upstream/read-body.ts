// The body of an answer, decoded, within its bounds, and no faster than there is room for it.
import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { ByteBudget } from './byte-budget.ts';
import { CallFault } from './call-fault.ts';

export type BodyReading = {
  readonly budget: ByteBudget;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
};

type Decoder = Transform & { readonly bytesWritten: number };
type MakeDecoder = () => Decoder;

const zstd = (zlib as { readonly createZstdDecompress?: MakeDecoder }).createZstdDecompress;

const makerOf: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['gzip', () => zlib.createUnzip()],
  ['x-gzip', () => zlib.createUnzip()],
  ['deflate', () => zlib.createUnzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ...(zstd === undefined ? [] : ([['zstd', () => zstd()]] as const)),
]);

/** The encodings that are understood, as the `Accept-Encoding` header names them. */
export const acceptedEncodings = [...makerOf.keys()].filter((name) => name !== 'x-gzip').join(', ');

/** Nobody encodes more often; each time costs a decoder's memory. */
const mostEncodings = 2;

/** Reads all of it. Throws a `CallFault`, whatever the stream threw, or the signal's reason. */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  reading: BodyReading,
): Promise<Uint8Array> {
  try {
    const names = namesIn(encoding);
    const decoders = decodersFor(names);
    try {
      return await readAll(decoders.reduce(through, stream), reading);
    } catch (error) {
      reading.signal.throwIfAborted();
      if (!isDecoders(error)) throw error;
      // Answers without a body (to HEAD, 204, 304) may still name its encoding.
      if (error.code === 'Z_BUF_ERROR' && decoders[0]?.bytesWritten === 0) return Buffer.alloc(0);
      throw new CallFault(`was answered with a body that is not ${names.join(', ')} (${error.code})`);
    }
  } finally {
    stream.destroy();
  }
}

async function readAll(stream: Readable, { budget, maxBytes, signal }: BodyReading): Promise<Uint8Array> {
  const share = budget.share();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new CallFault(`was answered with more than ${inMb(maxBytes)}`);
      await share.take(chunk.length, signal);
      chunks.push(tight(chunk));
    }
    return Buffer.concat(chunks, size);
  } finally {
    share.giveBack();
  }
}

/** Whoever reads the last of them hears of every failure. */
function through(from: Readable, decoder: Decoder): Readable {
  pipeline(from, decoder, () => undefined);
  return decoder;
}

/** `Content-Encoding` as a list, in the order of encoding. */
const namesIn = (encoding = ''): readonly string[] =>
  encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');

/** What undoes the encodings, from the last to the first. */
function decodersFor(names: readonly string[]): readonly Decoder[] {
  const makers = names.flatMap((name) => makerOf.get(name) ?? []);
  if (names.length > mostEncodings || makers.length < names.length)
    throw new CallFault(`was answered with a body that is encoded as "${names.join(', ').slice(0, 50)}"`);
  return makers.reverse().map((make) => make());
}

/** Z_DATA_ERROR, ERR__ERROR_FORMAT_PADDING_1 (brotli) and the like. */
const isDecoders = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && /^(Z_|ZSTD_|ERR_(_|BROTLI|ZSTD))/.test(String(error.code));

/** A small piece of a large buffer would keep all of it. */
const tight = (chunk: Buffer): Buffer =>
  chunk.length * 2 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk;

const inMb = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
