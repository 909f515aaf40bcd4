// Inserts values into the URL of a call. A value cannot change the URL's structure: it is encoded, may not be empty, "." or
// ".." as a whole segment of the path, and cannot change the host. Who calls: nodes/call-url.ts for templates, and author
// code through its builtins `url` and `rawPath`. All problems are frozen URIErrors, which author code may see.
import { hasWholeOrigin } from '../../domain/upstream/url-start.ts';
import { listArgument } from './functions/arguments.ts';
import { NodeError } from './node-error.ts';
import { textOfValue } from './plain-value.ts';
import { uriError } from './bounded-builtins.ts';

/** The texts that `rawPath` was called with. Author code cannot make such an object in another way. */
const rawPaths = new WeakMap<object, string>();

/** Marks a value that is inserted without encoding, for url`…` or a whole `{{ }}`. */
export const rawPath = (value: unknown): object => {
  const text = forAuthor(() => textOfValue(value));
  const made = Object.freeze({ rawPath: text });
  rawPaths.set(made, text);
  return made;
};

/** The tag of url`https://api.example.com/${row.id}`. Returns the text. */
export const url = (texts: unknown, ...values: readonly unknown[]): string => {
  if (!Array.isArray(texts) || texts.length !== values.length + 1)
    throw uriError('url is written in front of a text: url`https://api.example.com/${row.id}`');
  return forAuthor(() => {
    const copied = listArgument('url', texts).map((text) => textOfValue(text));
    return joinUrl(copied, values.map(insertable), (index) => `value ${index + 1} of url\`…\``);
  });
};

/** The text of a value, or the value itself if it comes from `rawPath`. Throws a NodeError for a value without a text. */
export const insertable = (value: unknown): Insertable => (isRawPath(value) ? value : textOfValue(value));

export type Insertable = string | object;

const isRawPath = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && rawPaths.has(value);

/**
 * Joins texts, with a value between each two. The first value may be the beginning of the URL, which is not encoded. Throws a
 * URIError for a value that would change the URL's structure, and for texts that do not include the host.
 * @param nameOf the value's name for messages, such as `{{ row.id }}`
 */
export function joinUrl(
  texts: readonly string[],
  values: readonly Insertable[],
  nameOf: (index: number) => string,
): string {
  const startsWithValue = texts[0] === '' && values.length > 0;
  const first = startsWithValue ? 1 : 0;
  const begin = startsWithValue ? `${textOfValue(values[0])}${texts[1] ?? ''}` : (texts[0] ?? '');
  assertPlain([begin, ...texts.slice(first + 1)].join(''));
  if (values.length > first && !hasWholeOrigin(begin))
    throw uriError('it must begin with http:// or https:// and a host, and "/" before the first value');
  let marked = begin;
  for (let index = first; index < values.length; index += 1)
    marked += `${inserted(values[index] ?? '', marked, { index, nameOf })}${texts[index + 1] ?? ''}`;
  assertSegments(marked, nameOf);
  return marked.replaceAll(marks, '');
}

/** Throws a URIError for an unsafe URL that code built; the whole text is checked, since its values are not known. */
export function assertBuiltUrl(text: string): void {
  assertPlain(text);
  const segment = pathOf(text).split('/').find(isDots);
  if (segment !== undefined)
    throw uriError(`"${segment}" is a segment of its path, which would lead to another path`);
}

/** Marks before each value, with its index. They are control characters, which no text or value may have. */
const marks = /\u0000(\d+)\u0000/g;

type Insertion = { readonly index: number; readonly nameOf: (index: number) => string };

/** The value as it is inserted into the URL, with its mark. */
function inserted(value: Insertable, before: string, { index, nameOf }: Insertion): string {
  const mark = `\u0000${index}\u0000`;
  const name = nameOf(index);
  if (typeof value === 'string') return `${mark}${encoded(value, name)}`;
  const raw = rawPaths.get(value) ?? '';
  encoded(raw, name);
  const other = /[?#\\]/.exec(raw)?.[0];
  if (other !== undefined) throw uriError(`${name} has "${other}", which a raw path cannot have`);
  if (/[?#]/.test(before)) throw uriError(`${name} is a raw path and stands behind the path`);
  // Each of its segments is checked like an inserted value.
  return `${mark}${raw.replaceAll(/\/(?=[^/])/g, `/${mark}`)}`;
}

/** In characters. No service takes a URL of that length, and to encode a text takes many times its memory. */
const maxLength = 1_000_000;

function encoded(text: string, name: string): string {
  if (text.length > maxLength) throw uriError(`${name} has more than a million characters`);
  const control = controlIn(text);
  if (control !== undefined)
    throw uriError(`${name} has the control character ${control}, which a URL cannot have`);
  try {
    return encodeURIComponent(text);
  } catch {
    throw uriError(`${name} is not well-formed text: half of a character is missing`);
  }
}

/** Author code may see no NodeError. */
function forAuthor<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof NodeError ? uriError(error.message) : error;
  }
}

function assertSegments(marked: string, nameOf: (index: number) => string): void {
  for (const segment of pathOf(marked).split('/')) {
    const index = /\u0000(\d+)\u0000/.exec(segment)?.[1];
    if (index === undefined) continue;
    const text = segment.replaceAll(marks, '');
    const name = nameOf(Number(index));
    if (text === '')
      throw uriError(`${name} is empty, and without that part the path is the one of something else`);
    if (isDots(text))
      throw uriError(`${name} makes "${text}" a segment of the path, which would lead to another path`);
  }
}

/** A URL parser drops some of these characters, and takes a backslash in the path for a slash. */
function assertPlain(text: string): void {
  const control = controlIn(text);
  if (control !== undefined)
    throw uriError(`it has the control character ${control}, which a URL cannot have`);
  if (pathOf(text).includes('\\')) throw uriError('it has a backslash, which a URL cannot have');
}

function controlIn(text: string): string | undefined {
  const code = /\p{Cc}/u.exec(text)?.[0].charCodeAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** All that comes before the query and the fragment. */
const pathOf = (text: string): string => /^[^?#]*/.exec(text)?.[0] ?? '';

/** Also spelled with percent signs, which URL parsers take for the same. */
const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment);
