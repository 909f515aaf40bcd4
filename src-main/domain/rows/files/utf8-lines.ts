// Lines of bytes that are UTF-8, or Windows-1252 where they are not: a file that several programs wrote has both. Each line
// is decided alone.
import { invariant } from '../../../base/invariant.ts';
import { streamDecoder } from '../../../base/text-decoder.ts';
import { joinBytes } from '../line-bytes.ts';

/** Bytes of a line that are decided together: a longer line is decided in parts. */
const maxLineBytes = 1_000_000;

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

type LineKind = 'ascii' | 'utf-8' | 'other';

/** Lines, and the numbers of the first few of them, from 1. */
export type CountedLines = { readonly count: number; readonly first: readonly number[] };

/** Maximum lines whose numbers are told. */
const maxNumbers = 20;

class LineCounter implements CountedLines {
  count = 0;
  readonly first: number[] = [];
  #last = 0;

  /** A line that is decided in parts counts once. */
  add(line: number): void {
    if (line === this.#last) return;
    this.#last = line;
    this.count += 1;
    if (this.first.length < maxNumbers) this.first.push(line);
  }
}

/** Characters in place of the five bytes that Windows-1252 does not use. */
const unused = /[\u0081\u008d\u008f\u0090\u009d]/;

export class Utf8Lines {
  readonly #utf8 = decoderOf('utf-8');
  readonly #western = decoderOf('windows-1252');
  /** The beginning of a line that has not ended yet. */
  #open: Uint8Array[] = [];
  #openBytes = 0;
  #line = 1;
  #hasUtf8 = false;

  /** Lines that are not UTF-8. */
  readonly others = new LineCounter();
  /** Those of them that have bytes without a character in Windows-1252. */
  readonly withUnused = new LineCounter();

  /** True if a line has a letter of UTF-8 beyond ASCII. */
  get hasUtf8(): boolean {
    return this.#hasUtf8;
  }

  /** The lines that this piece completes. */
  push(bytes: Uint8Array): string {
    const end = endOfLines(bytes);
    const isTooLong = end === 0 && this.#openBytes + bytes.length > maxLineBytes;
    if (end === 0 && !isTooLong) {
      this.#hold(bytes);
      return '';
    }
    const whole = this.#openBytes === 0 ? bytes : joinBytes([...this.#open, bytes]);
    const cut = isTooLong ? endOfCharacters(whole) : this.#openBytes + end;
    this.#open = [];
    this.#openBytes = 0;
    if (cut < whole.length) this.#hold(whole.slice(cut));
    return this.#decode(whole.subarray(0, cut));
  }

  /** The last line. */
  end(): string {
    return this.#decode(joinBytes(this.#open));
  }

  #hold(bytes: Uint8Array): void {
    this.#open.push(bytes);
    this.#openBytes += bytes.length;
  }

  #decode(bytes: Uint8Array): string {
    let text: string;
    try {
      text = this.#utf8.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return this.#decodeEach(bytes);
      throw error;
    }
    this.#hasUtf8 ||= text.length < bytes.length;
    this.#line += countLineBreaks(bytes);
    return text;
  }

  /** As `#decode`, for lines of which one is not UTF-8. Neighbours of one kind are decoded together. */
  #decodeEach(bytes: Uint8Array): string {
    let text = '';
    let [start, firstLine, isOther] = [0, this.#line, false];
    const decodeUntil = (end: number): void => {
      const part = bytes.subarray(start, end);
      text += isOther ? this.#decodeOther(part, firstLine) : this.#utf8.decode(part);
      [start, firstLine] = [end, this.#line];
    };
    for (let at = 0; at < bytes.length;) {
      const end = endOfLine(bytes, at);
      const kind = kindOfLine(bytes, at, end);
      this.#hasUtf8 ||= kind === 'utf-8';
      if (kind !== 'ascii' && isOther !== (kind === 'other')) {
        decodeUntil(at);
        isOther = kind === 'other';
      }
      if (kind === 'other') this.others.add(this.#line);
      if (isLineBreak(bytes[end - 1])) this.#line += 1;
      at = end;
    }
    decodeUntil(bytes.length);
    return text;
  }

  #decodeOther(bytes: Uint8Array, firstLine: number): string {
    // Node 20 decodes Windows-1252 as ISO 8859-1 unless it decodes a stream.
    const text = this.#western.decode(bytes, { stream: true });
    if (unused.test(text))
      for (const [index, line] of text.split(/\r\n|\n|\r/).entries())
        if (unused.test(line)) this.withUnused.add(firstLine + index);
    return text;
  }
}

function decoderOf(encoding: string) {
  const decoder = streamDecoder(encoding, { fatal: true });
  invariant(decoder !== undefined, 'each runtime has UTF-8 and Windows-1252');
  return decoder;
}

/** The whole lines that are not UTF-8, up to so many bytes. */
export function linesOfOtherEncodings(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const found: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < maxBytes;) {
    const end = endOfLine(bytes, at);
    // The last one may be cut.
    if (kindOfLine(bytes, at, end) === 'other' && (isLineBreak(bytes[end - 1]) || found.length === 0)) {
      found.push(bytes.subarray(at, end));
      length += end - at;
    }
    at = end;
  }
  return joinBytes(found).subarray(0, maxBytes);
}

const isLineBreak = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;

/** Index behind the last line break; 0 if there is none. A CR at the end may be half of a CR LF. */
const endOfLines = (bytes: Uint8Array): number =>
  bytes.lastIndexOf(lineFeed) + 1 || bytes.subarray(0, -1).lastIndexOf(carriageReturn) + 1;

/** Index behind the line that begins at `from`, with its LF, CR or CR LF. */
function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isLineBreak(bytes[at])) at += 1;
  const isPair = bytes[at] === carriageReturn && bytes[at + 1] === lineFeed;
  return Math.min(bytes.length, at + (isPair ? 2 : 1));
}

/** As many as `endOfLine` finds. */
function countLineBreaks(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] !== lineFeed) lines += 1;
  return lines;
}

/** Index behind the last whole character of UTF-8. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.length - (characterLength(byte) > back ? back : 0);
  }
  return bytes.length;
}

function kindOfLine(bytes: Uint8Array, from: number, to: number): LineKind {
  let kind: LineKind = 'ascii';
  for (let at = from; at < to; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const length = lengthOfCharacter(bytes, at, to);
    if (length === 0) return 'other';
    kind = 'utf-8';
    at += length - 1;
  }
  return kind;
}

/** Bytes of the character of UTF-8 beyond ASCII that begins at `at`; 0 if none does. */
function lengthOfCharacter(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  const length = characterLength(first);
  if (length === 0 || at + length > end || !isSecondByte(bytes[at + 1], first)) return 0;
  for (let index = at + 2; index < at + length; index += 1)
    if (((bytes[index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Bytes of a character, by its first byte; 0 if no character beyond ASCII begins with it. */
function characterLength(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/**
 * The second bytes behind some first ones: no longer form of a short character, no half of a pair of UTF-16, and nothing
 * beyond the last character.
 */
const secondBytes: ReadonlyMap<number, readonly [min: number, max: number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

function isSecondByte(byte: number | undefined, first: number): boolean {
  const [min, max] = secondBytes.get(first) ?? [0x80, 0xbf];
  return byte !== undefined && byte >= min && byte <= max;
}
