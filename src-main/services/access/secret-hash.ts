// Secrets that clients present (API keys, access tokens, browsers' secrets): made from 32 random bytes, stored as a hash,
// and compared in constant time. They are random enough that a slow hash would add nothing.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Characters; our secrets have 47 at most. A client must not make the server hash megabytes. */
const maxSecretLength = 512;

/** Digests by their hexadecimal form, as stored records have it. */
const digests = new WeakMap<object, Buffer>();

/** A fresh secret, 43 characters that a URL can carry, after the prefix. */
export const createSecret = (prefix = ''): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** SHA-256 of a secret, hexadecimal. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** True if both secrets are the same. Takes the same time whatever they are. */
export const isSameSecret = (presented: string, secret: string): boolean =>
  // Digests have one length, which timingSafeEqual insists on: the comparison tells nothing about lengths.
  timingSafeEqual(sha256(presented), sha256(secret));

/** The record whose hash is that of the presented secret; undefined if there is none. */
export function findBySecret<T extends object>(
  records: readonly T[],
  presented: string,
  hashOf: (record: T) => string,
): T | undefined {
  if (presented.length === 0 || presented.length > maxSecretLength) return undefined;
  const digest = sha256(presented);
  return records.find((record) => timingSafeEqual(digestOf(record, hashOf), digest));
}

/** Decoded once: a client's every call looks through all records. */
function digestOf<T extends object>(record: T, hashOf: (record: T) => string): Buffer {
  let digest = digests.get(record);
  if (digest === undefined) {
    digest = Buffer.from(hashOf(record), 'hex');
    digests.set(record, digest);
  }
  return digest;
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
