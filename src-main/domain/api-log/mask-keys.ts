// Takes what opens something out of what is noted of a call, before it is noted: a key may stand in any header, in the
// address and even in a body. Pure.
import type { LoggedHeaders } from './logged-call.ts';

/** What is shown in its place. */
export const masked = '•••';

const openingName = /key|token|secret|auth|cookie|credential|password|session|signature/i;
/** As it is, percent-encoded as in an address, or escaped as in JSON. */
const ownKey = /rbk(?:_|%5[fF]|\\+u005[fF])(?:[\w-]|%[0-9a-fA-F]{2}|\\+u[0-9a-fA-F]{4})+/g;
const openingParameter =
  /([?&][^=&#]*(?:key|token|secret|auth|credential|password|session|signature)[^=&#]*=)[^&#]+/gi;
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
  const opening = openingPlaces(raw, extraName);
  const values = [...valuesAt(raw, opening), ...known];
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const value = opening.includes(index) ? masked : maskKeys(raw[index + 1] ?? '', values);
    headers.push([raw[index] ?? '', value]);
  }
  return { headers, values };
}

/** Where the names of headers are that carry something to open with. */
export function openingPlaces(raw: readonly string[], extraName: string | undefined): readonly number[] {
  const places: number[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (openingName.test(name) || name.toLowerCase() === extraName) places.push(index);
  }
  return places;
}

/** What those headers carry. */
export function valuesAt(raw: readonly string[], places: readonly number[]): readonly string[] {
  const values: string[] = [];
  for (const place of places) {
    const value = raw[place + 1] ?? '';
    if (value.length < shortestKey) continue;
    values.push(...formsOf(value));
    // `Bearer …` and its like: what follows the scheme is the key.
    const key = value.includes(' ') ? value.slice(value.lastIndexOf(' ') + 1) : '';
    if (key.length >= shortestKey) values.push(...formsOf(key));
  }
  return values;
}

/** As an address and as a JSON text may have it too. */
export function formsOf(value: string): ReadonlySet<string> {
  return new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
}

/** The text without keys of ours and without those values. */
export function maskKeys(text: string, values: readonly string[]): string {
  let result = text.includes('rbk') ? text.replace(ownKey, `rbk_${masked}`) : text;
  for (const value of values) if (result.includes(value)) result = result.replaceAll(value, masked);
  return result;
}

/** As `maskKeys`, for the beginning of a text: the beginning of a value at its very end is taken out too. */
export function maskBeginning(text: string, values: readonly string[]): string {
  let result = maskKeys(text, values);
  for (const value of values) {
    const most = Math.min(value.length - 1, result.length);
    for (let length = most; length >= 4; length -= 1) {
      if (!result.endsWith(value.slice(0, length))) continue;
      result = `${result.slice(0, -length)}${masked}`;
      break;
    }
  }
  return result;
}

/** A request's target without keys. */
export const maskTarget = (target: string, values: readonly string[]): string =>
  target.includes('?')
    ? maskKeys(target, values).replace(openingParameter, `$1${masked}`)
    : maskKeys(target, values);

/** A header that carries something to open with, other than the right one: where a client thought that keys go. */
export function otherKeyHeader(raw: readonly string[], rightNames: readonly string[]): string | undefined {
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (openingName.test(name) && name !== 'cookie' && !rightNames.includes(name)) return name;
  }
  return undefined;
}
