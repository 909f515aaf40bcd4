// Why a call has no answer. Every message goes on after "GET https://api.example.com/companies ".

/** A failed call whose cause is not Rowbench: the row gets the message, and the run goes on. */
export class CallError extends Error {}

/** Rowbench itself does not make the call, and would not make the same call again. */
export class CallRefusal extends CallError {}

/** The call was answered with a status from 400 on, and the body could not be read; `cause` says why. */
export class BodyError extends CallError {
  readonly status: number;

  constructor(status: number, cause: unknown) {
    super('was answered with a body that could not be read', { cause });
    this.status = status;
  }
}

/** No access token for the call. `status`: of the token endpoint, if it answered with one from 400 on. */
export class TokenError extends CallError {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(`is not called, for lack of an access token: ${message}`);
    this.status = status;
  }
}

/** The answer has more bytes than may be read. */
export class AnswerTooLarge extends CallError {}

export const tooLarge = (maxBytes: number): CallError =>
  new AnswerTooLarge(`was answered with more than ${Math.floor(maxBytes / 1_000_000)} MB`);

/** The words for whatever a connection, TLS, HTTP or a decoder threw; undefined for what is not known. */
export function callErrorOf(error: unknown): CallError | undefined {
  if (error instanceof CallError) return error;
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new CallError('was answered with something that is not HTTP');
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const message = Object.hasOwn(messages, code) ? messages[code] : undefined;
  if (message !== undefined) return new CallError(`${message} (${code})`);
  if (tlsCode.test(code)) return new CallError(`was not answered: TLS could not be set up (${code})`);
  return new CallError(`failed (${code})`);
}

/** True for an error from before a connection stood: nothing of the request has left this machine. */
export function isBeforeSending(error: unknown): boolean {
  if (error instanceof CallRefusal) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isBeforeSending);
  if (!(error instanceof Error)) return false;
  const { syscall } = error as NodeJS.ErrnoException;
  const code = codeOf(error) ?? '';
  return syscall === 'connect' || syscall === 'getaddrinfo' || beforeSending.has(code) || tlsCode.test(code);
}

/** Node's and undici's errors have one; when several addresses were tried, each attempt has its own. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}

const tlsCode = /^(ERR_(TLS|SSL)_|EPROTO$)/;

const closed = 'was not answered in full: the connection was closed';
const unreachable = 'was not answered: the host cannot be reached';
const unknownIssuer = 'was not answered: its certificate is from an authority that is not known here';
const selfSigned = 'was not answered: its certificate is self-signed';

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'was not answered: the connection was refused',
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ETIMEDOUT: 'was not answered: no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'was not answered: no connection in time',
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ENOTFOUND: 'was not answered: no host has that name',
  EAI_AGAIN: 'was not answered: the name of the host could not be looked up',
  UND_ERR_HEADERS_OVERFLOW: 'was answered with too many headers',
  CERT_HAS_EXPIRED: 'was not answered: its certificate has expired',
  CERT_NOT_YET_VALID: 'was not answered: its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'was not answered: its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
};

/** Codes of errors that end a connection before it stands, certificates included. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
