// Code pages that are neither UTF-8 nor Western, such as Windows-1251 and Shift_JIS: a wrong guess would read wrong letters, so
// the user chooses. The library that names them is loaded only for a file that has such lines.
import { AppError } from '../../../base/app-error.ts';
import { linesOfOtherEncodings } from './utf8-lines.ts';

/** Bytes that are looked at: more make the answer no better. */
const maxBytes = 16_384;

/**
 * Western text has its letters beyond ASCII alone between others; other scripts have whole words of them. `minShare` is the
 * minimum share of bytes beyond ASCII beside another one, `minBytes` the minimum of such bytes.
 */
const foreign = { minShare: 0.7, minBytes: 6 };

/** Names that the library gives to Western texts, often a wrong one of them. */
const western = /^(?:ISO-8859-(?:1|2|9)|windows-125[024578]|ASCII|UTF-8)$/;

/** Minimum confidence, in percent, of a name that is told to the user. */
const minConfidence = 11;

/**
 * The error for a file in another code page, with the remedy and the encoding that it seems to have; undefined if its lines are
 * UTF-8 or Western.
 */
export async function foreignCodePage(beginning: Uint8Array): Promise<AppError | undefined> {
  const lines = linesOfOtherEncodings(beginning, maxBytes);
  if (!isForeign(lines)) return undefined;
  const { analyse } = await import('chardet');
  const [best] = analyse(lines);
  if (best === undefined || western.test(best.name)) return undefined;
  const remedy = 'Save it as UTF-8. Or name its encoding';
  if (best.confidence < minConfidence)
    return new AppError(
      'invalid_input',
      `the text is not UTF-8, and no Western text. ${remedy} with --encoding: windows-1251, shift_jis, gb18030 or another one`,
    );
  const encoding = best.name.toLowerCase();
  return new AppError(
    'invalid_input',
    `the text is not UTF-8, and looks like ${best.name}. ${remedy} with --encoding: ${encoding}, or windows-1252 for Western text`,
    { encoding },
  );
}

function isForeign(bytes: Uint8Array): boolean {
  const isHigh = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80;
  let [high, neighbors] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    if (!isHigh(bytes[at])) continue;
    high += 1;
    if (isHigh(bytes[at - 1]) || isHigh(bytes[at + 1])) neighbors += 1;
  }
  return high >= foreign.minBytes && neighbors >= foreign.minShare * high;
}
