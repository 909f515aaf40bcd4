// The bytes of a text file as text: by its byte order mark, else UTF-16 by its zero bytes, else UTF-8 with lines of
// Windows-1252. Another code page is never assumed: the reader asks for it.
import { AppError } from '../../../base/app-error.ts';
import { invariant } from '../../../base/invariant.ts';
import { streamDecoder, type StreamDecoder } from '../../../base/text-decoder.ts';
import { counted } from '../../format.ts';
import { joinBytes } from '../line-bytes.ts';
import { rowsInvalid } from '../../workflow-errors.ts';
import { problemOfBytes, utf16By } from './file-kind.ts';
import { foreignCodePage } from './foreign-code-page.ts';
import type { ReadOptions } from './read-options.ts';
import { RemarkCollector, type ReadRemark, type ReadReport } from './read-remarks.ts';
import { Utf8Lines, type CountedLines } from './utf8-lines.ts';

/** The bytes at the beginning of a file by which its encoding is decided. */
const sampleBytes = 131_072;

export type DecodeOptions = Pick<ReadOptions, 'encoding' | 'strict'>;

/** A decoder of one encoding. */
interface Decoding {
  push(bytes: Uint8Array): string;
  end(): string;
  report(): ReadReport;
}

/**
 * Decodes a file in pieces. The methods reject with `invalid_input` for a file that is no text, for bytes that are not of the
 * encoding, and for a file whose code page the user has to choose.
 */
export class TextOfBytes {
  readonly #options: DecodeOptions;
  #beginning: Uint8Array[] = [];
  #bytes = 0;
  #decoding: Decoding | undefined;

  constructor(options: DecodeOptions) {
    this.#options = options;
  }

  /** The text that this piece completes. */
  async push(bytes: Uint8Array): Promise<string> {
    if (this.#decoding !== undefined) return this.#decoding.push(bytes);
    this.#beginning.push(bytes);
    this.#bytes += bytes.length;
    return this.#bytes < sampleBytes ? '' : this.#start();
  }

  /** The text that is left. To be called once. */
  async end(): Promise<string> {
    const text = this.#decoding === undefined ? await this.#start() : '';
    return text + (this.#decoding?.end() ?? '');
  }

  /** Complete after `end`. */
  report(): ReadReport {
    return this.#decoding?.report() ?? { readAs: {}, remarks: [] };
  }

  async #start(): Promise<string> {
    const bytes = joinBytes(this.#beginning);
    this.#beginning = [];
    const { decoding, markBytes } = await decodingOf(bytes, this.#options);
    this.#decoding = decoding;
    return decoding.push(bytes.subarray(markBytes));
  }
}

const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

type Choice = {
  /** The encoding that the user named. */
  readonly named: string | undefined;
  readonly strict: boolean | undefined;
  readonly remarks: RemarkCollector;
};

type Decided = { readonly decoding: Decoding; readonly markBytes: number };

async function decodingOf(bytes: Uint8Array, { encoding, strict }: DecodeOptions): Promise<Decided> {
  const sample = bytes.subarray(0, sampleBytes);
  const problem = problemOfBytes(sample);
  if (problem !== undefined) throw new AppError('invalid_input', problem);
  const remarks = new RemarkCollector(strict);
  const named = encoding === undefined ? undefined : checkedName(encoding);
  const [marked, mark = []] = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  const decoding =
    marked === undefined
      ? await decodingWithoutMark(sample, { named, strict, remarks })
      : decodingOfMark(marked, { named, strict, remarks });
  return { decoding, markBytes: mark.length };
}

/** A mark is no guess: it counts more than a name, which may be that of another file. */
function decodingOfMark(marked: string, { named, strict, remarks }: Choice): Decoding {
  const isAsNamed = named === undefined || named === marked || named === 'mixed';
  if (!isAsNamed)
    remarks.add({
      kind: 'encoding',
      words: () => `read as ${title(marked)}, with whose mark it begins`,
      option: 'encoding',
    });
  if (marked === 'utf-8' && named !== 'utf-8') return new MixedText(remarks, strict);
  return new NamedText(marked, remarks, {});
}

async function decodingWithoutMark(
  sample: Uint8Array,
  { named, strict, remarks }: Choice,
): Promise<Decoding> {
  if (named === 'mixed') return new MixedText(remarks, strict);
  if (named !== undefined) {
    if (looksLikeUtf8(sample, named))
      remarks.add({
        kind: 'encoding',
        words: () => `read as ${title(named)}, but looks like UTF-8`,
        option: 'encoding',
      });
    return new NamedText(named, remarks, { encoding: named });
  }
  const utf16 = utf16By(sample);
  if (utf16 !== undefined) {
    remarks.add({ kind: 'encoding', words: () => 'read as UTF-16', option: 'encoding' });
    return new NamedText(utf16, remarks, { encoding: utf16 });
  }
  const foreign = await foreignCodePage(sample);
  if (foreign !== undefined) throw foreign;
  return new MixedText(remarks, strict);
}

/** True for UTF-8 that is read in another encoding, as may be after a rerun or with a mapping that was made for another file. */
function looksLikeUtf8(sample: Uint8Array, named: string): boolean {
  if (named === 'utf-8') return false;
  try {
    const text = streamDecoder('utf-8', { fatal: true })?.decode(sample, { stream: true }) ?? '';
    return named.startsWith('utf-16') ? utf16By(sample) === undefined : text.length < sample.length;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The name of the Encoding Standard for this one; `mixed` stays. Throws `invalid_input` for a name that it does not have. */
function checkedName(encoding: string): string {
  if (encoding === 'mixed') return encoding;
  const decoder = streamDecoder(encoding, { fatal: true });
  if (decoder === undefined)
    throw new AppError(
      'invalid_input',
      `there is no encoding ${JSON.stringify(encoding)}: name one such as utf-8, utf-16le, windows-1252, windows-1251, shift_jis or gb18030, or mixed`,
    );
  return decoder.encoding;
}

/** `UTF-8`, `Windows-1252` */
const title = (encoding: string): string =>
  encoding.startsWith('windows') ? `W${encoding.slice(1)}` : encoding.toUpperCase();

/** Text of one encoding. */
class NamedText implements Decoding {
  readonly #encoding: string;
  readonly #decoder: StreamDecoder;
  readonly #remarks: RemarkCollector;
  readonly #readAs: ReadOptions;
  #line = 1;

  constructor(encoding: string, remarks: RemarkCollector, readAs: ReadOptions) {
    const decoder = streamDecoder(encoding, { fatal: true });
    invariant(decoder !== undefined, 'the name was checked');
    this.#encoding = encoding;
    this.#decoder = decoder;
    this.#remarks = remarks;
    this.#readAs = readAs;
  }

  push(bytes: Uint8Array): string {
    return this.#decode(bytes, { stream: true });
  }

  end(): string {
    return this.#decode(new Uint8Array(), { stream: false });
  }

  report(): ReadReport {
    return { readAs: this.#readAs, remarks: this.#remarks.all() };
  }

  #decode(bytes: Uint8Array, options: { readonly stream: boolean }): string {
    try {
      const text = this.#decoder.decode(bytes, options);
      this.#line += countLines(text);
      return text;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw rowsInvalid({ line: this.#line + this.#linesBeforeFault(bytes), column: 1 }, this.#problem());
    }
  }

  #problem(): string {
    const remedy =
      this.#readAs.encoding === undefined || this.#encoding.startsWith('utf-16')
        ? 'Save the file as UTF-8'
        : 'Name another encoding, or none: then the file itself decides';
    return `the text is not ${title(this.#encoding)}. ${remedy}`;
  }

  #linesBeforeFault(bytes: Uint8Array): number {
    const text = streamDecoder(this.#encoding, { fatal: false })?.decode(bytes, { stream: true }) ?? '';
    return countLines(text.slice(0, text.indexOf('\ufffd') + 1 || undefined));
  }
}

const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};

/** UTF-8, and Windows-1252 in lines that are not UTF-8. */
class MixedText implements Decoding {
  readonly #remarks: RemarkCollector;
  readonly #strict: boolean;
  readonly #lines = new Utf8Lines();

  constructor(remarks: RemarkCollector, strict = false) {
    this.#remarks = remarks;
    this.#strict = strict;
  }

  push(bytes: Uint8Array): string {
    return this.#checked(this.#lines.push(bytes));
  }

  end(): string {
    return this.#checked(this.#lines.end());
  }

  report(): ReadReport {
    const { hasUtf8, others, withUnused } = this.#lines;
    if (others.count === 0) return { readAs: {}, remarks: this.#remarks.all() };
    return {
      // Which reads a later file in UTF-8 right, too.
      readAs: { encoding: 'mixed' },
      remarks: [
        ...this.#remarks.all(),
        encodingRemark(
          others,
          hasUtf8
            ? `${counted(others.count, 'line')} ${others.count === 1 ? 'is' : 'are'} Windows-1252`
            : 'read as Windows-1252',
        ),
        ...(withUnused.count === 0
          ? []
          : [
              encodingRemark(
                withUnused,
                `${counted(withUnused.count, 'line')} with characters that Windows-1252 does not have`,
              ),
            ]),
      ],
    };
  }

  #checked(text: string): string {
    const [line] = this.#lines.others.first;
    if (this.#strict && line !== undefined)
      this.#remarks.add({ kind: 'encoding', line, words: () => 'the line is not UTF-8' });
    return text;
  }
}

const encodingRemark = ({ count, first }: CountedLines, text: string): ReadRemark => ({
  kind: 'encoding',
  count,
  lines: first,
  text,
  option: 'encoding',
});
