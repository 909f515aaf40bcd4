// Detects the encoding of a text file from its first bytes.

export const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};
export type Encoding = keyof typeof encodings;

type Beginning = { readonly encoding: Encoding; readonly markBytes: number };

/** Beginnings of workbooks: ZIP files, and compound files of old or encrypted ones. */
const workbookMarks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** True for the first bytes of an Excel workbook, be it one that can be read or not. */
export const isWorkbookFile = (beginning: Uint8Array): boolean =>
  workbookMarks.some((mark) => mark.every((byte, at) => beginning[at] === byte));

/** File types that are not text, by their first bytes, each with advice for the user. */
const notText: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], 'This file is packed with gzip. Unpack it first.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF. Rows come from Excel, CSV, TSV, JSON or NDJSON.'],
];

const marks: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Throws an error with a message for the user if the file is no text. */
export function textEncodingOf(beginning: Uint8Array): Beginning {
  const beginsWith = (bytes: readonly number[]): boolean => bytes.every((byte, at) => beginning[at] === byte);
  const refusal = notText.find(([bytes]) => beginsWith(bytes));
  if (refusal !== undefined) throw new Error(refusal[1]);
  const mark = marks.find(([, bytes]) => beginsWith(bytes));
  if (mark !== undefined) return { encoding: mark[0], markBytes: mark[1].length };
  // In UTF-16, letters of most languages have a zero byte; in UTF-8, they never have.
  if (beginning.length > 1 && beginning[0] !== 0 && beginning[1] === 0)
    return { encoding: 'utf-16le', markBytes: 0 };
  if (beginning.length > 1 && beginning[0] === 0 && beginning[1] !== 0)
    return { encoding: 'utf-16be', markBytes: 0 };
  if (beginning.includes(0))
    throw new Error('This is not a text file. Rows come from Excel, CSV, TSV, JSON or NDJSON.');
  return { encoding: 'utf-8', markBytes: 0 };
}
