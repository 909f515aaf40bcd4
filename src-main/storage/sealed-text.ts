// Encrypts short texts with a key of 32 bytes. Who calls: the vaults of a data folder and of a team.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { dataUnreadable } from '../domain/store-errors.ts';

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
