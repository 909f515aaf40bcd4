// Error messages about requests, keys, connections and the server itself. The interface document fixes the messages
// marked (interface): they must not change by a letter.
import { AppError, errorText } from '../base/app-error.ts';

/** (interface) 401 */
export const invalidKey = () => new AppError('invalid_key', 'Invalid API key');

/** 403; the interface leaves the text open */
export const keyNotAllowed = () =>
  new AppError('key_not_allowed', 'API key does not have access to this workflow');

/** (interface) 400; says what is wrong and always names the expected form */
export const invalidBody = (problem: string) =>
  new AppError(
    'invalid_body',
    `Invalid request body: ${problem}. Expected a JSON object with a "rows" array of objects`,
  );

/** 413 */
export const bodyTooLarge = (problem: string) =>
  new AppError('body_too_large', `Request body too large: ${problem}`);

/** 429 with `Retry-After` */
export const rateLimited = (retryAfterSeconds: number, limit: string) =>
  new AppError(
    'rate_limited',
    `Rate limit exceeded. Retry after ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    {
      retryAfterSeconds,
      limit,
    },
  );

/** 400 */
export const settingFixed = (name: string, option: string) =>
  new AppError(
    'invalid_input',
    `The setting "${name}" is fixed by ${option} until the server is started without it`,
  );

/** 404: no such path */
export const routeNotFound = () => new AppError('route_not_found', 'Not found');

/** 405 with `Allow`: the path is known, the method is not */
export const methodNotAllowed = (allow: string) =>
  new AppError('method_not_allowed', `Method not allowed. Allowed: ${allow}`, { allow });

/** 401 on the control API; says nothing about which part was wrong */
export const invalidControlToken = () => new AppError('invalid_key', 'Invalid control token');

/** 401: a link's code that is unknown, used or too old; the message does not tell the client which */
export const entryCodeInvalid = () =>
  new AppError('invalid_key', 'This link has been used or is too old. Open a new one');

/** 401: the browser was signed out, was not used for 30 days, or was never paired with this data folder */
export const browserNotPaired = () =>
  new AppError('invalid_key', 'This browser is signed out. Open a new link');

/** 404 */
export const browserNotFound = () => new AppError('browser_not_found', 'This browser is signed out already');

/** The command line's: there is nothing that a browser could open. */
export const noServer = (dataDir: string, start = 'rowbench serve --open') =>
  new AppError('invalid_input', `No Rowbench serves the data folder ${dataDir}. Start one with: ${start}`);

/** 400: a control call whose input is not what the procedure takes */
export const callInputInvalid = (problem: string, cause?: unknown) =>
  new AppError('invalid_input', `Invalid input: ${problem}`, { cause });

/** 413 */
export const callInputTooLarge = (maxBytes: number) =>
  new AppError('body_too_large', `Input too large: at most ${maxBytes} bytes are read`);

/** The command line's words for a server that holds the data folder and does not answer as one should. */
export const serverSilent = (url: string, cause?: unknown) =>
  new AppError(
    'data_folder_locked',
    `A Rowbench at ${url} holds the data folder but does not answer. Stop it, or name another folder with --data`,
    { cause },
  );

/** The server took longer than a person would wait. */
export const serverTimedOut = (url: string, seconds: number) =>
  new AppError('request_timeout', `The Rowbench at ${url} did not answer within ${seconds} s`);

/** 403: the guard's verdict on who is asking */
export const guardRefused = (reason: string) => new AppError('guard_refused', reason);

/** 400: not HTTP as we accept it */
export const malformedRequest = (cause?: unknown) =>
  new AppError('malformed_request', 'Malformed HTTP request', { cause });

/** 408: the headers or the next piece of a body did not come in time */
export const requestTimedOut = (what: 'headers' | 'body') =>
  new AppError('request_timeout', `The request's ${what} took too long to arrive`);

/** 431 */
export const headersTooLarge = () =>
  new AppError('headers_too_large', 'Request headers are too many or too large');

/** 417 */
export const expectationFailed = () =>
  new AppError('expectation_failed', 'The only Expect header that is understood is 100-continue');

/** 503: answered before anything of the request was looked at. Places become free within a second or so. */
export const tooManyConnections = () =>
  new AppError(
    'too_many_connections',
    'The server has as many connections as it serves at once. Nothing was executed; try again soon, over fewer connections',
    { retryAfterSeconds: 1 },
  );

/** The server does not start on another port instead: clients would talk to a stranger. */
export const portTaken = (port: number, host: string, cause?: unknown) =>
  new AppError(
    'port_taken',
    `Port ${port} is already taken on ${host}. Stop the program that uses it, or choose another with --port`,
    { cause },
  );

/** An address to listen on that the machine does not have or may not use. */
export const cannotListen = (port: number, host: string, cause: unknown) =>
  new AppError('invalid_input', `Cannot listen on ${host}, port ${port}: ${errorText(cause)}`, { cause });

/** A TLS certificate and key that do not fit, or are none. */
export const certificateUnusable = (cause: unknown) =>
  new AppError(
    'invalid_input',
    `The certificate of --tls-cert cannot be used with the key of --tls-key: ${errorText(cause)}`,
    { cause },
  );

/** 400 */
export const invalidQuery = (name: string, expected: string) =>
  new AppError('invalid_input', `"${name}" in the query is not as expected: ${expected}`);

/** 404 */
export const keyNotFound = (id: string) => new AppError('key_not_found', `No API key has the id "${id}"`);

/** 404: the API log keeps the last calls alone */
export const callGone = (number: number, cause?: unknown) =>
  new AppError('call_not_found', `Call ${number} is not in the log any more`, { cause });

/** 400 */
export const callNotRepeatable = (problem: string) =>
  new AppError('invalid_input', `The call cannot be repeated. ${problem}`);

/** 404 */
export const secretNotFound = (name: string) =>
  new AppError('secret_not_found', `No secret has the name "${name}"`);
