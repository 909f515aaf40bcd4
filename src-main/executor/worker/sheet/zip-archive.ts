// Reads parts of a ZIP file in memory. Nothing that the file says of sizes is trusted: all parts together may unpack to
// a limit, and each is checked against its checksum.
import { crc32, inflateRawSync } from 'node:zlib';
import { SheetProblem } from './sheet-problem.ts';

type Entry = {
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly offset: number;
};

const endSignature = 0x0605_4b50;
const entrySignature = 0x0201_4b50;
const localSignature = 0x0403_4b50;
const endBytes = 22;
/** The end may be followed by a comment. */
const maxCommentBytes = 65_535;

export class ZipArchive {
  readonly #file: Buffer;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #byFoldedName: ReadonlyMap<string, Entry>;
  #bytesLeft: number;
  readonly #maxBytes: number;

  /** Throws a SheetProblem for a file that is no ZIP file. @param maxBytes of all parts that are read, unpacked */
  constructor(bytes: Uint8Array, maxBytes: number) {
    this.#file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bytesLeft = maxBytes;
    this.#maxBytes = maxBytes;
    this.#entries = this.#inBounds(() => this.#readDirectory());
    this.#byFoldedName = new Map([...this.#entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** The unpacked part; undefined if there is none. Throws a SheetProblem. */
  read(name: string): Buffer | undefined {
    const entry = this.#find(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted)
      throw new SheetProblem('it is protected with a password. Save it without one, then try again');
    const content = this.#unpacked(entry, this.#packed(entry));
    if (crc32(content) !== entry.crc) throw damaged();
    this.#bytesLeft -= content.length;
    return content;
  }

  /** Names of parts are equal without regard to case, but the very name comes first. */
  #find(name: string): Entry | undefined {
    return this.#entries.get(name) ?? this.#byFoldedName.get(name.toLowerCase());
  }

  #packed({ offset, packedBytes }: Entry): Buffer {
    return this.#inBounds(() => {
      const file = this.#file;
      if (file.readUInt32LE(offset) !== localSignature) throw damaged();
      const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
      if (start + packedBytes > file.length) throw damaged();
      return file.subarray(start, start + packedBytes);
    });
  }

  #unpacked({ method }: Entry, packed: Buffer): Buffer {
    if (method === 0) {
      if (packed.length > this.#bytesLeft) throw this.#tooLarge();
      return packed;
    }
    if (method !== 8) throw damaged();
    if (this.#bytesLeft <= 0) throw this.#tooLarge();
    try {
      return inflateRawSync(packed, { maxOutputLength: this.#bytesLeft });
    } catch (error) {
      const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      throw isTooLarge ? this.#tooLarge() : damaged();
    }
  }

  #tooLarge(): SheetProblem {
    return new SheetProblem(
      `it takes more than ${this.#maxBytes / 1_000_000} MB when it is unpacked. Save the sheet as CSV, then try again`,
    );
  }

  #readDirectory(): Map<string, Entry> {
    const file = this.#file;
    const end = this.#endOfDirectory();
    const count = file.readUInt16LE(end + 10);
    let at = file.readUInt32LE(end + 16);
    const entries = new Map<string, Entry>();
    for (let index = 0; index < count; index += 1) {
      if (file.readUInt32LE(at) !== entrySignature) throw damaged();
      const nameBytes = file.readUInt16LE(at + 28);
      const name = file.toString('utf8', at + 46, at + 46 + nameBytes);
      entries.set(partName(name), {
        isEncrypted: (file.readUInt16LE(at + 8) & 1) === 1,
        method: file.readUInt16LE(at + 10),
        crc: file.readUInt32LE(at + 16),
        packedBytes: file.readUInt32LE(at + 20),
        offset: file.readUInt32LE(at + 42),
      });
      at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    }
    return entries;
  }

  #endOfDirectory(): number {
    const file = this.#file;
    const lowest = Math.max(0, file.length - endBytes - maxCommentBytes);
    for (let at = file.length - endBytes; at >= lowest; at -= 1)
      if (file.readUInt32LE(at) === endSignature) return at;
    throw damaged();
  }

  /** Reading outside of the file throws a RangeError. */
  #inBounds<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof RangeError ? damaged() : error;
    }
  }
}

/** Some programs write backslashes, or a slash at the beginning. */
const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '');

const damaged = (): SheetProblem =>
  new SheetProblem('the workbook is damaged, or a part of it is missing. Open it in Excel and save it again');
