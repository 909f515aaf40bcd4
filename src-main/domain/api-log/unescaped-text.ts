// A text as it is and as its readers understand it: percent-encoded as in an address, escaped as in JSON, and that again
// and again. Each way remembers where in the text its characters stand. Pure.

/** One way to read a text. */
export type Reading = {
  readonly text: string;
  /** Where its characters begin in the text itself; one more: where that ends. Absent: nothing was escaped. */
  readonly starts?: readonly number[];
};

/** How often something can have been escaped again. Each time costs a pass over the text. */
const maxUnescapes = 4;

/** The text itself first. Texts in which nothing can be escaped cost nothing. */
export function* readingsOf(text: string): Generator<Reading> {
  let reading: Reading = { text };
  yield reading;
  for (let times = 0; times < maxUnescapes; times += 1) {
    if (!mayBeEscaped(reading.text)) return;
    const next = unescapedOnce(reading);
    if (next.text.length === reading.text.length) return;
    reading = next;
    yield reading;
  }
}

/** True if the text may contain escapes. */
export const mayBeEscaped = (text: string): boolean => text.includes('%') || text.includes('\\');

/** Where a character of a reading begins in the text itself. */
export const sourceOffset = ({ starts }: Reading, at: number): number =>
  starts === undefined ? at : (starts[at] ?? 0);

/** The beginning of an escape at the end of a text that was cut: `%7`, `\u00`. */
export const cutEscape = /(?:%(?:25){0,4}[\da-fA-F]?|\\{1,16}(?:u[\da-fA-F]{0,3})?)$/;

const percents = '(?:%[\\da-fA-F]{2})+';
const escapes = new RegExp(`${percents}|\\\\u[\\da-fA-F]{4}|\\\\["\\\\/bfnrt]`, 'g');
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescapedOnce(reading: Reading): Reading {
  const { text } = reading;
  let shown = '';
  const starts: number[] = [];
  const add = (part: string, from: number, step: number): void => {
    for (let at = 0; at < part.length; at += 1) starts.push(sourceOffset(reading, from + at * step));
    shown += part;
  };
  let end = 0;
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    add(text.slice(end, index), end, 1);
    end = index + escape.length;
    if (escape.startsWith('%')) add(latin1Of(escape), index, '%XX'.length);
    else add(characterOf(escape), index, 0);
  }
  add(text.slice(end), end, 1);
  starts.push(sourceOffset(reading, text.length));
  return { text: shown, starts };
}

/** Each byte as a character: keys travel in headers, which have no others. */
const latin1Of = (escape: string): string =>
  escape.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

function characterOf(escape: string): string {
  const kind = escape.charAt(1);
  return kind === 'u' ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : (letters[kind] ?? kind);
}
