// Encodings, hashes and UUIDs for author code.
import { createHash } from 'node:crypto';
import { assertShort } from '../bounded-builtins.ts';
import { textOfValue } from '../plain-value.ts';
import { textArgument } from './arguments.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const wellFormed = (name: string, value: unknown): string => {
  const text = assertShort(name, textArgument(name, value));
  if (/\p{Surrogate}/u.test(text)) throw new TypeError(`${name}: the text has half of a character`);
  return text;
};

const encoded = (name: string, value: unknown, encoding: 'base64' | 'base64url' | 'hex'): string =>
  Buffer.from(wellFormed(name, value), 'utf8').toString(encoding);

function decoded(name: string, value: unknown, { form, encoding }: Decoding): string {
  const text = assertShort(name, textArgument(name, value));
  if (!form.test(text)) throw new TypeError(`${name}: this is not ${encoding === 'hex' ? 'hex' : 'Base64'}`);
  try {
    return decoder.decode(Buffer.from(text, encoding));
  } catch {
    throw new TypeError(`${name}: these bytes are not UTF-8 text`);
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
      throw new TypeError('query.encode takes an object');
    const pairs = Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
      (Array.isArray(value) ? (value as readonly unknown[]) : [value])
        .filter((item) => item !== null && item !== undefined)
        .map((item) => `${component(key)}=${component(textOfValue(item))}`),
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

function decodedComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new TypeError(`query.decode: ${JSON.stringify(text.slice(0, 100))} is not encoded as in a URL`);
  }
}

export function sha256(text: unknown, encoding: unknown = 'hex'): string {
  if (encoding !== 'hex' && encoding !== 'base64')
    throw new TypeError("sha256: the encoding is 'hex' or 'base64'");
  return createHash('sha256').update(wellFormed('sha256', text), 'utf8').digest(encoding);
}

/** A function that makes UUIDs of version 4 from random numbers in [0, 1). */
export const uuidFrom = (random: () => number) => (): string =>
  'xxxxxxxx-xxxx-4xxx-Vxxx-xxxxxxxxxxxx'.replaceAll(/[xV]/g, (letter) =>
    letter === 'x' ? Math.floor(random() * 16).toString(16) : (8 + Math.floor(random() * 4)).toString(16),
  );
