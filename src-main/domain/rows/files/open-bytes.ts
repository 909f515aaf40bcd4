// The bytes of a file before anything is known of it: its first ones say whether it is packed, a workbook or text.
import { AppError } from '../../../base/app-error.ts';
import { byteSize } from '../../format.ts';
import { joinBytes } from '../line-bytes.ts';
import { isGzip, markBytes } from './file-kind.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** Unpacks gzip: Node and browsers have it in different places. Throws `gzipDamaged`. */
export type Gunzip = (packed: Bytes) => Bytes;

export type UnpackOptions = {
  readonly gunzip: Gunzip;
  /** Maximum bytes of the unpacked file; default: no limit but the ratio. */
  readonly maxBytes?: number;
};

export type OpenedBytes = {
  /** The first bytes, unpacked. */
  readonly head: Uint8Array;
  readonly isPacked: boolean;
  /** All bytes, unpacked. */
  readonly bytes: Bytes;
};

/** Looks at the first bytes, and unpacks the file if they are those of gzip. Reading may throw `invalid_input`. */
export async function openBytes(pieces: Bytes, options: UnpackOptions): Promise<OpenedBytes> {
  const file = await withHead(pieces);
  if (!isGzip(file.head)) return { ...file, isPacked: false };
  const unpacked = await withHead(unpackedBytes(file.bytes, options));
  if (isGzip(unpacked.head))
    throw new AppError('invalid_input', 'it is packed with gzip twice. Unpack it first');
  return { ...unpacked, isPacked: true };
}

/** Maximum size of the unpacked file, in times its packed one. Small files may be larger. */
const maxRatio = 100;
const alwaysAllowed = 1_000_000;

async function* unpackedBytes(
  packed: Bytes,
  { gunzip, maxBytes = Infinity }: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  let packedBytes = 0;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of packed) {
      packedBytes += piece.length;
      yield piece;
    }
  }
  for await (const piece of gunzip(counted())) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new AppError('invalid_input', `it has more than ${byteSize(maxBytes)} when it is unpacked`);
    if (bytes > Math.max(alwaysAllowed, maxRatio * packedBytes))
      throw new AppError(
        'invalid_input',
        `it unpacks to more than ${maxRatio} times its size. Unpack it first, if you trust it`,
      );
    yield piece;
  }
}

/** A file that does not unpack. @param isCut true if its end is missing */
export const gzipDamaged = (isCut: boolean, cause: unknown): AppError =>
  new AppError(
    'invalid_input',
    isCut
      ? 'it is packed with gzip and ends too early. Copy or download it again'
      : 'it is packed with gzip and damaged. Copy or download it again',
    { cause },
  );

type BytesWithHead = { readonly head: Uint8Array; readonly bytes: Bytes };

async function withHead(pieces: Bytes): Promise<BytesWithHead> {
  const iterator = pieces[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < markBytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : joinBytes([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield head;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head, bytes: all() };
}
