// Masks keys and other credentials in a call before the call is logged: a key may stand in any header, in the address
// and even in a body. Pure.
import type { LoggedHeaders } from './logged-call.ts';

/** Text shown in place of a credential. */
export const masked = '•••';

const openingName = /key|token|secret|auth|cookie|credential|password|session|signature/i;
const openingParameter = /key|token|secret|auth|credential|password|session|signature/i;
const ownKey = /rbk_[\w-]+/g;
const parameter = /([?&])([^=&#]*)=([^&#]+)/g;
/** Shorter ones are no keys, and would be found in innocent words. */
const shortestKey = 8;

export type MaskedHeaders = {
  readonly headers: LoggedHeaders;
  /** The values that were taken out, to be taken out elsewhere too. */
  readonly values: readonly string[];
};

/** @param raw name, value, name, value … @param extraName a further header that carries keys, lower case @param known values to take out besides */
export function maskHeaders(
  raw: readonly string[],
  extraName: string | undefined,
  known: readonly string[] = [],
): MaskedHeaders {
  const opening = secretHeaderIndexes(raw, extraName);
  const values = [...valuesAt(raw, opening), ...known];
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const value = opening.includes(index) ? masked : maskKeys(raw[index + 1] ?? '', values);
    headers.push([raw[index] ?? '', value]);
  }
  return { headers, values };
}

/** Where the names of headers are that carry something to open with. */
function secretHeaderIndexes(raw: readonly string[], extraName: string | undefined): readonly number[] {
  const indexes: number[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (openingName.test(name) || name.toLowerCase() === extraName) indexes.push(index);
  }
  return indexes;
}

/** Values of the headers whose names are at `places`, and the keys in them; too short ones are left out. */
function valuesAt(raw: readonly string[], indexes: readonly number[]): readonly string[] {
  const values: string[] = [];
  for (const index of indexes) {
    const value = raw[index + 1] ?? '';
    if (value.length < shortestKey) continue;
    values.push(value);
    // `Bearer …` and its like: what follows the scheme is the key.
    const key = value.includes(' ') ? value.slice(value.lastIndexOf(' ') + 1) : '';
    if (key.length >= shortestKey) values.push(key);
  }
  return values;
}

/** The text without keys of ours and without those values, however often they were encoded or escaped. */
export const maskKeys = (text: string, values: readonly string[]): string =>
  mayHold(text, values) ? without(text, findKeys(text, values)) : text;

/** As `maskKeys`, for the beginning of a text: the beginning of a value at its very end is taken out too. */
export function maskBeginning(text: string, values: readonly string[]): string {
  const whole = text.replace(cutEscape, '');
  const found = findKeys(whole, values);
  for (const reading of readingsOf(whole)) {
    for (const value of values) {
      const length = begunLength(reading.text, value);
      if (length === 0) continue;
      const from = sourceOffset(reading, reading.text.length - length);
      return without(text, [...found, { from, to: text.length, label: masked }]);
    }
  }
  return without(text, found);
}

/** How much of a value's beginning a text ends with; 0: nothing that would tell anything. */
function begunLength(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length >= 4; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}

/** Most texts hold nothing, and are not looked at twice. */
function mayHold(text: string, values: readonly string[]): boolean {
  if (text.includes('rbk') || mayBeEscaped(text)) return true;
  for (const value of values) if (text.includes(value)) return true;
  return false;
}

/** A part of a text, and what is shown for it. */
type Found = { readonly from: number; readonly to: number; readonly label: string };

function findKeys(text: string, values: readonly string[]): readonly Found[] {
  const found: Found[] = [];
  for (const reading of readingsOf(text)) {
    for (const { 0: key, index } of reading.text.matchAll(ownKey)) {
      found.push(foundAt(reading, { at: index, length: key.length, label: `rbk_${masked}` }));
    }
    for (const value of values) {
      for (let at = 0; (at = reading.text.indexOf(value, at)) >= 0; at += value.length) {
        found.push(foundAt(reading, { at, length: value.length, label: masked }));
      }
    }
  }
  return found;
}

type Match = { readonly at: number; readonly length: number; readonly label: string };

const foundAt = (reading: Reading, { at, length, label }: Match): Found => ({
  from: sourceOffset(reading, at),
  to: sourceOffset(reading, at + length),
  label,
});

/** The text with a label in place of each found part. Overlapping parts get one label. */
function without(text: string, found: readonly Found[]): string {
  let shown = '';
  let end = 0;
  for (const { from, to, label } of found.toSorted((a, b) => a.from - b.from)) {
    if (from >= end) shown += text.slice(end, from) + label;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}

/** A request's target without keys. */
export function maskTarget(target: string, values: readonly string[]): string {
  const shown = maskKeys(target, values);
  if (!shown.includes('?')) return shown;
  return shown.replace(parameter, (all: string, joint: string, name: string) =>
    isOpening(name) ? `${joint}${name}=${masked}` : all,
  );
}

const isOpening = (name: string): boolean => {
  for (const { text } of readingsOf(name)) if (openingParameter.test(text)) return true;
  return false;
};

/** A header that carries something to open with, other than the right one: where a client thought that keys go. */
export function otherKeyHeader(raw: readonly string[], rightNames: readonly string[]): string | undefined {
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (openingName.test(name) && name !== 'cookie' && !rightNames.includes(name)) return name;
  }
  return undefined;
}

// A text as it is and as its readers understand it: percent-encoded as in an address, escaped as in JSON, and that again
// and again. Each way remembers where in the text its characters stand. Pure.

/** One way to read a text. */
type Reading = {
  readonly text: string;
  /** Where its characters begin in the text itself; one more: where that ends. Absent: nothing was escaped. */
  readonly starts?: readonly number[];
};

/** How often something can have been escaped again. Each time costs a pass over the text. */
const maxUnescapes = 4;

/** The text itself first. Texts in which nothing can be escaped cost nothing. */
function* readingsOf(text: string): Generator<Reading> {
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
const mayBeEscaped = (text: string): boolean => text.includes('%') || text.includes('\\');

/** Where a character of a reading begins in the text itself. */
const sourceOffset = ({ starts }: Reading, at: number): number =>
  starts === undefined ? at : (starts[at] ?? 0);

/** The beginning of an escape at the end of a text that was cut: `%7`, `\u00`. */
const cutEscape = /(?:%(?:25){0,4}[\da-fA-F]?|\\{1,16}(?:u[\da-fA-F]{0,3})?)$/;

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
