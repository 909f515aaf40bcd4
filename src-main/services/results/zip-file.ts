// Writes a ZIP file (APPNOTE 6.3) as a stream: sizes and checksums of an entry follow it, so that nothing is held back.
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { exportTooLarge } from '../../domain/run-errors.ts';

export type ZipEntry = {
  /** A path in ASCII. */
  readonly name: string;
  readonly content: string | AsyncIterable<string>;
};

type WrittenEntry = {
  readonly name: string;
  readonly offset: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
};

/** Larger sizes need ZIP64, which not all readers know. */
const maxBytes = 0xffff_ffff;
/** Sizes follow the entry; the name is UTF-8. */
const flags = 0x0808;
const deflated = 8;
/** 1 January 1980, the first day of the format: the same rows give the same file. */
const date = 0x0021;

/** Throws `invalid_input` once more than 4 GB have been written. */
export async function* zipFile(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const head = localHead(name);
    yield head;
    const counter = { crc: 0, bytes: 0 };
    const packed = createDeflateRaw({ level: 4 });
    pipeline(Readable.from(counted(content, counter)), packed, () => undefined);
    let packedBytes = 0;
    for await (const piece of packed as AsyncIterable<Buffer>) {
      packedBytes += piece.length;
      yield piece;
    }
    const entry = { name, offset, packedBytes, ...counter };
    const tail = descriptor(entry);
    yield tail;
    offset += head.length + packedBytes + tail.length;
    if (offset > maxBytes) throw tooLarge();
    written.push(entry);
  }
  yield directory(written, offset);
}

const tooLarge = () => exportTooLarge('An Excel workbook holds 4 GB, and these rows take more');

async function* counted(
  content: string | AsyncIterable<string>,
  counter: { crc: number; bytes: number },
): AsyncGenerator<Buffer> {
  const pieces = typeof content === 'string' ? [content] : content;
  for await (const text of pieces) {
    const bytes = Buffer.from(text);
    counter.crc = crc32(bytes, counter.crc);
    counter.bytes += bytes.length;
    if (counter.bytes > maxBytes) throw tooLarge();
    yield bytes;
  }
}

function localHead(name: string): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x0403_4b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(deflated, 8);
  head.writeUInt16LE(date, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name)]);
}

function descriptor({ crc, packedBytes, bytes }: WrittenEntry): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(0x0807_4b50, 0);
  tail.writeUInt32LE(crc, 4);
  tail.writeUInt32LE(packedBytes, 8);
  tail.writeUInt32LE(bytes, 12);
  return tail;
}

function directory(entries: readonly WrittenEntry[], offset: number): Buffer {
  const heads = Buffer.concat(entries.map(directoryEntry));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(heads.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([heads, end]);
}

function directoryEntry({ name, offset, crc, packedBytes, bytes }: WrittenEntry): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x0201_4b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(deflated, 10);
  head.writeUInt16LE(date, 14);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(packedBytes, 20);
  head.writeUInt32LE(bytes, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, Buffer.from(name)]);
}
