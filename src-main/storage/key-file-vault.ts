// Seals secrets with a key in a file of its own, so that neither file alone, nor a search through the data folder, gives
// a value away. Whoever can read both files can open them: the system's key store is better where there is one.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { dataUnreadable } from '../domain/errors.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { readWhole } from './durable/read-bytes.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
/** What the mode is made for; a new one for each sealing. */
const nonceBytes = 12;
const tagBytes = 16;
const format = 'v1.';

export class KeyFileVault {
  readonly #parts: StoreParts;
  readonly #path: string;
  #making: Promise<Buffer> | undefined;

  constructor(parts: StoreParts, path: string) {
    this.#parts = parts;
    this.#path = path;
  }

  /** Makes the key if there is none. Throws `store_degraded` or `data_unreadable`. */
  async seal(value: string, purpose: string): Promise<string> {
    const key = (await this.#readKey()) ?? (await this.#makeKeyOnce());
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final()]);
    return format + Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Throws `data_unreadable` for what was not sealed with this key for this purpose. */
  async open(sealed: string, purpose: string): Promise<string> {
    const key = await this.#readKey();
    if (key === undefined || !sealed.startsWith(format)) throw dataUnreadable('a secret: its key is gone');
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

  /** Read each time: a person may have put an older folder back. */
  async #readKey(): Promise<Buffer | undefined> {
    const bytes = await readWhole(this.#parts.fileSystem, this.#path);
    if (bytes === undefined) return undefined;
    const key = Buffer.from(Buffer.from(bytes).toString('latin1').trim(), 'base64');
    // Never replaced: what it has sealed would be lost for good.
    if (key.length !== keyBytes) throw dataUnreadable('secrets.key: it is damaged');
    return key;
  }

  #makeKeyOnce(): Promise<Buffer> {
    this.#making ??= this.#makeKey().finally(() => (this.#making = undefined));
    return this.#making;
  }

  async #makeKey(): Promise<Buffer> {
    const { files, health } = this.#parts;
    const key = randomBytes(keyBytes);
    const bytes = Buffer.from(`${key.toString('base64')}\n`);
    await health.attempt(() => files.replace(this.#path, bytes, { keepPrevious: false }));
    return key;
  }
}
