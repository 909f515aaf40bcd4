// How completions write names and values at the caret, so that the file stays YAML.
import { escaped, quoted } from '../edit/write-value.ts';
import type { Caret } from './caret.ts';

/** A text to insert, and where the text to be replaced begins; it ends at the caret. */
export type Insertion = { readonly from: number; readonly insert: string };

/** Names that need no quotes anywhere in YAML. */
const plainName = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_$][\w$./-]*$/i;

export const isJsonFile = (text: string): boolean => /^\ufeff?\s*[{[]/.test(text);

/** The text that stands for a value at the caret, quotes included where they are missing. */
export function writtenValue(value: string, caret: Caret, isJson: boolean): string {
  if (caret.style === 'plain') {
    const isPlain = !isJson && (plainName.test(value) || /^=[\w$.]+$/.test(value));
    return isPlain ? value : quoted(value, '"');
  }
  if (caret.style === 'block') return value;
  return inQuotes(value, caret) + (isClosed(caret) ? '' : caret.style === 'double' ? '"' : "'");
}

/** Offset at which a value is replaced: behind its opening quote. */
export const valueStart = (caret: Caret): number =>
  caret.style === 'double' || caret.style === 'single' ? caret.from + 1 : caret.from;

export const inQuotes = (text: string, { style }: Caret): string =>
  style === 'double' ? escaped(text) : style === 'single' ? text.replaceAll("'", "''") : text;

/** True if the quotes of the value are closed in the file. */
const isClosed = ({ from, to, text }: Caret): boolean => to - from >= text.length + 2;

/**
 * Code that replaces the text between `from` and the caret, inside of a value; undefined where the value cannot hold it.
 * @param from offset within the value
 */
export function writtenCode(
  code: string,
  { caret, from, offset }: { readonly caret: Caret; readonly from: number; readonly offset: number },
): Insertion | undefined {
  const start = offset - (caret.at - from);
  if (/^[\w$]*$/.test(code) || caret.style === 'block') return { from: start, insert: code };
  if (caret.style !== 'plain') return { from: start, insert: inQuotes(code, caret) };
  const isPlain = !/: | #|:$/.test(code) && (!caret.isFlow || !/[[\]{},]/.test(code));
  if (isPlain) return { from: start, insert: code };
  // Plain text cannot hold it: quotes go around all of it.
  if (caret.at < caret.text.length) return undefined;
  return { from: caret.from, insert: quoted(caret.text.slice(0, from) + code, '"') };
}
