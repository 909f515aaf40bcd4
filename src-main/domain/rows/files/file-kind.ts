// Files that are no text, by their first bytes.

type Mark = readonly number[];

const beginsWith = (bytes: Uint8Array, mark: Mark): boolean => mark.every((byte, at) => bytes[at] === byte);

/** Bytes that `isGzip` and `isWorkbook` look at. */
export const markBytes = 4;

export const isGzip = (beginning: Uint8Array): boolean => beginsWith(beginning, [0x1f, 0x8b]);

/** Beginnings of ZIP files, which workbooks are, and of old or encrypted workbooks. */
const workbookMarks: readonly Mark[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** True for the first bytes of an Excel workbook, be it one that can be read or not. */
export const isWorkbook = (beginning: Uint8Array): boolean =>
  workbookMarks.some((mark) => beginsWith(beginning, mark));

const unpackFirst = 'Unpack it first';
const otherFile = 'Rows come from Excel, CSV, TSV, JSON or NDJSON';

const ascii = (text: string): Mark => [...text].map((letter) => letter.charCodeAt(0));

/** Files that hold no rows as text, each with its name and the advice to the user. No mark may be the beginning of a text. */
const otherKinds: readonly (readonly [Mark, what: string, remedy: string])[] = [
  [ascii('%PDF-'), 'a PDF', otherFile],
  [[0x89, ...ascii('PNG')], 'an image (PNG)', otherFile],
  [[0xff, 0xd8, 0xff], 'an image (JPEG)', otherFile],
  [ascii('GIF87a'), 'an image (GIF)', otherFile],
  [ascii('GIF89a'), 'an image (GIF)', otherFile],
  [ascii('{\\rtf'), 'a document (RTF)', otherFile],
  [ascii('SQLite format 3\0'), 'a SQLite database', 'Export its table as CSV'],
  [ascii('PAR1\u0015'), 'a Parquet file', 'Convert it to CSV or NDJSON'],
  [ascii('Obj\u0001'), 'an Avro file', 'Convert it to CSV or NDJSON'],
  [ascii('ARROW1\0\0'), 'an Arrow file', 'Convert it to CSV or NDJSON'],
  [[...ascii('BZh9'), 0x31, 0x41, 0x59, 0x26], 'packed with bzip2', unpackFirst],
  [[0xfd, ...ascii('7zXZ')], 'packed with xz', unpackFirst],
  [[0x28, 0xb5, 0x2f, 0xfd], 'packed with zstd', unpackFirst],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7-Zip archive', unpackFirst],
  [ascii('Rar!\u001a'), 'a RAR archive', unpackFirst],
  [[0x50, 0x4b, 0x05, 0x06], 'an empty ZIP file', otherFile],
  [[0x00, 0x00, 0xfe, 0xff], 'text in UTF-32', 'Save it as UTF-8'],
  [[0xff, 0xfe, 0x00, 0x00], 'text in UTF-32', 'Save it as UTF-8'],
];

/** Maximum share of zero bytes in a text that is not UTF-16: some programs write a few of them. */
const maxZeroShare = 0.01;

/** Why the file is no text, and the remedy: `it is a PDF. Rows come from …`. Undefined for text, and for UTF-16. */
export function problemOfBytes(beginning: Uint8Array): string | undefined {
  const [, what, remedy] = otherKinds.find(([mark]) => beginsWith(beginning, mark)) ?? [];
  if (what !== undefined) return `it is ${what}. ${remedy}`;
  if (utf16By(beginning) !== undefined || countZeros(beginning, 0, 1) <= maxZeroShare * beginning.length)
    return undefined;
  return beginning.every((byte) => byte === 0)
    ? 'it has nothing but zero bytes: it was not copied or saved to its end. Copy it again'
    : `it is not a text file, since it has zero bytes. ${otherFile}`;
}

/** Minimum share of the characters of UTF-16 that have a zero byte on one side, and maximum share on the other one. */
const [minOneSide, maxOtherSide] = [0.05, 0.01];

/**
 * The form of UTF-16 that a text without a mark has: letters and delimiters of most files have a zero byte on one side.
 * Undefined for other texts.
 */
export function utf16By(beginning: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const even = beginning.subarray(0, beginning.length & ~1);
  const [firsts, seconds] = [countZeros(even, 0, 2), countZeros(even, 1, 2)];
  const characters = even.length / 2;
  if (characters === 0) return undefined;
  if (seconds >= minOneSide * characters && firsts <= maxOtherSide * characters && seconds > 0)
    return 'utf-16le';
  if (firsts >= minOneSide * characters && seconds <= maxOtherSide * characters && firsts > 0)
    return 'utf-16be';
  return undefined;
}

function countZeros(bytes: Uint8Array, from: number, step: number): number {
  let zeros = 0;
  for (let at = from; at < bytes.length; at += step) if (bytes[at] === 0) zeros += 1;
  return zeros;
}
