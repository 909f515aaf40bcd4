// Encodings, hashes and UUIDs for author code.
import { createHash } from 'node:crypto';
import { assertShort, typeError } from '../bounded-builtins.ts';
import { anyTextArgument, listArgument, textArgument } from './arguments.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const wellFormed = (name: string, value: unknown): string => {
  const text = assertShort(name, textArgument(name, value));
  if (/\p{Surrogate}/u.test(text)) throw typeError(`${name}: the text has half of a character`);
  return text;
};

const encoded = (name: string, value: unknown, encoding: 'base64' | 'base64url' | 'hex'): string =>
  Buffer.from(wellFormed(name, value), 'utf8').toString(encoding);

function decoded(name: string, value: unknown, { form, encoding }: Decoding): string {
  // Lines of an e-mail, and the line break that a command prints behind its result, are not part of the code.
  const text = assertShort(name, textArgument(name, value)).replaceAll(/[ \t\r\n]+/g, '');
  if (!form.test(text)) throw typeError(`${name}: this is not ${encoding === 'hex' ? 'hex' : 'Base64'}`);
  try {
    return decoder.decode(Buffer.from(text, encoding));
  } catch {
    throw typeError(`${name}: these bytes are not UTF-8 text`);
  }
}

type Decoding = { readonly form: RegExp; readonly encoding: 'base64' | 'hex' };
const base64Form: Decoding = {
  form: /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/,
  encoding: 'base64',
};
const hexForm: Decoding = { form: /^(?:[\da-f]{2})*$/i, encoding: 'hex' };

export const base64 = {
  encode: (text: unknown): string => encoded('base64.encode', text, 'base64'),
  encodeUrl: (text: unknown): string => encoded('base64.encodeUrl', text, 'base64url'),
  decode: (text: unknown): string => decoded('base64.decode', text, base64Form),
};

export const hex = {
  encode: (text: unknown): string => encoded('hex.encode', text, 'hex'),
  decode: (text: unknown): string => decoded('hex.decode', text, hexForm),
};

export const query = {
  encode: (object: unknown): string => {
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw typeError('query.encode takes an object');
    const pairs = Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
      (Array.isArray(value) ? listArgument('query.encode', value) : [value])
        .filter((item) => item !== null && item !== undefined)
        .map((item) => `${component(key)}=${component(anyTextArgument('query.encode', item))}`),
    );
    return assertShort('query.encode', pairs.join('&'));
  },
  decode: (value: unknown): object => {
    const text = assertShort('query.decode', textArgument('query.decode', value)).replace(/^\?/, '');
    const result = new Map<string, string | string[]>();
    for (const pair of text.split('&').filter((each) => each !== '')) {
      const [key = '', ...rest] = pair.split('=');
      const name = decodedComponent(key);
      const item = decodedComponent(rest.join('='));
      const before = result.get(name);
      result.set(name, before === undefined ? item : [before, item].flat());
    }
    return Object.fromEntries(result);
  },
};

const component = (text: string): string => encodeURIComponent(wellFormed('query.encode', text));

/** Escapes that are no UTF-8, such as one `%E9` of Latin-1, stay as they are written. */
const decodedComponent = (text: string): string =>
  text.replaceAll('+', ' ').replaceAll(/(?:%[\da-f]{2})+/gi, decodedEscapes);

function decodedEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes.replaceAll(escapedCharacter, (character) =>
      character.length === escapes.length ? character : decodedEscapes(character),
    );
  }
}

/** The escapes of one character in UTF-8, by the first of them; one escape where no character begins. */
const escapedCharacter =
  /%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi;

export function sha256(text: unknown, encoding: unknown = 'hex'): string {
  if (encoding !== 'hex' && encoding !== 'base64')
    throw typeError("sha256: the encoding is 'hex' or 'base64'");
  return createHash('sha256').update(wellFormed('sha256', text), 'utf8').digest(encoding);
}

/** A function that makes UUIDs of version 4 from random numbers in [0, 1). */
export const uuidFrom = (random: () => number) => (): string =>
  'xxxxxxxx-xxxx-4xxx-Vxxx-xxxxxxxxxxxx'.replaceAll(/[xV]/g, (letter) =>
    letter === 'x' ? Math.floor(random() * 16).toString(16) : (8 + Math.floor(random() * 4)).toString(16),
  );
