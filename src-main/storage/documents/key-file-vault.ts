// Encrypts secrets with a key in a separate file, so that neither file alone, nor a search through the data folder, reveals a
// value. A process that can read both files can decrypt them, unless the system's key store encrypts the key, as in the
// desktop app.
import { randomBytes, createCipheriv, createDecipheriv } from 'node:crypto';
import { dataUnreadable } from '../../domain/store-errors.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { readWhole } from '../../files/read-bytes.ts';

/** Start of a key file whose key is itself encrypted. */
const sealedKeyStart = 'sealed.';

/** The system's key store, where the process that runs us can reach it. */
export type KeySeal = {
  /** Encrypts the key; undefined if this machine cannot, and the file has the plain key. */
  seal(key: string): Promise<Uint8Array | undefined>;
  open(sealed: Uint8Array): Promise<string>;
};

export class KeyFileVault {
  readonly #deps: StoreDeps;
  readonly #path: string;
  readonly #keySeal: KeySeal | undefined;
  #making: Promise<Buffer> | undefined;

  constructor(deps: StoreDeps, path: string, keySeal?: KeySeal) {
    this.#deps = deps;
    this.#path = path;
    this.#keySeal = keySeal;
  }

  /** Makes the key if there is none. Throws `store_degraded` or `data_unreadable`. */
  async seal(value: string, purpose: string): Promise<string> {
    return sealText((await this.#readKey()) ?? (await this.#makeKeyOnce()), value, purpose);
  }

  /** Throws `data_unreadable` for what was not sealed with this key for this purpose. */
  async open(sealed: string, purpose: string): Promise<string> {
    const key = await this.#readKey();
    if (key === undefined) throw dataUnreadable('a secret: its key is gone');
    return openSealedText(key, sealed, purpose);
  }

  /** Reads the key at each use, since the user may restore an older folder. */
  async #readKey(): Promise<Buffer | undefined> {
    const bytes = await readWhole(this.#deps.fileSystem, this.#path);
    if (bytes === undefined) return undefined;
    const text = Buffer.from(bytes).toString('latin1').trim();
    const key = Buffer.from(text.startsWith(sealedKeyStart) ? await this.#unsealed(text) : text, 'base64');
    // A damaged key is not replaced: all secrets encrypted with it would be lost.
    if (key.length !== sealKeyBytes) throw dataUnreadable('secrets.key: it is damaged');
    return key;
  }

  async #unsealed(text: string): Promise<string> {
    if (this.#keySeal === undefined)
      throw dataUnreadable("secrets.key: the system's key store has its key; the desktop app opens it");
    try {
      return await this.#keySeal.open(Buffer.from(text.slice(sealedKeyStart.length), 'base64'));
    } catch (error) {
      throw dataUnreadable("secrets.key: the system's key store does not open it", error);
    }
  }

  #makeKeyOnce(): Promise<Buffer> {
    this.#making ??= this.#makeKey().finally(() => (this.#making = undefined));
    return this.#making;
  }

  async #makeKey(): Promise<Buffer> {
    const { files, health } = this.#deps;
    const key = randomBytes(sealKeyBytes);
    const text = key.toString('base64');
    const sealed = await this.#keySeal?.seal(text);
    const line = sealed === undefined ? text : sealedKeyStart + Buffer.from(sealed).toString('base64');
    const bytes = Buffer.from(`${line}\n`);
    await health.attempt(() => files.replace(this.#path, bytes, { keepPrevious: false }));
    return key;
  }
}

/** Encrypts short texts with a key of 32 bytes. */
const algorithm = 'aes-256-gcm';
/** Nonce length that GCM is made for; each sealing uses a new nonce. */
const nonceBytes = 12;
const tagBytes = 16;
const format = 'v1.';

/** Length of a key. */
export const sealKeyBytes = 32;

/** The text, sealed for one purpose. */
export function sealText(key: Uint8Array, value: string, purpose: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final()]);
  return format + Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Throws `data_unreadable` for what was not sealed with this key for this purpose. */
export function openSealedText(key: Uint8Array, sealed: string, purpose: string): string {
  if (!sealed.startsWith(format)) throw dataUnreadable('a secret: its key is gone');
  const bytes = Buffer.from(sealed.slice(format.length), 'base64url');
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagBytes));
    const value = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
    return value + decipher.final('utf8');
  } catch (error) {
    throw dataUnreadable('a secret: it was sealed with another key', error);
  }
}
