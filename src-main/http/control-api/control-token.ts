// The control API's door: 32 random bytes for each start of the server, never stored but in the data folder's
// `server.json` (0600), never in a URL. API keys do not open it, and it does not open /api/v1.
import { randomBytes } from 'node:crypto';

/** The header that carries the token. */
export const controlTokenHeader = 'x-rowbench-token';

/** A fresh token, 64 hexadecimal digits. */
export const createControlToken = (): string => randomBytes(32).toString('hex');
