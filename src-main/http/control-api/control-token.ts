// The control API's door: 32 random bytes for each start of the server, never stored but in the data folder's
// `server.json` (0600), never in a URL. API keys do not open it, and it does not open /api/v1.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The header that carries the token. */
export const controlTokenHeader = 'x-rowbench-token';

/** A fresh token, 64 hexadecimal digits. */
export const createControlToken = (): string => randomBytes(32).toString('hex');

/** True if exactly the token was presented. Takes the same time whatever was presented. */
export const isControlToken = (presented: string, token: string): boolean =>
  // Digests have one length, which timingSafeEqual insists on; so the comparison tells nothing about lengths.
  timingSafeEqual(sha256(presented), sha256(token));

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
