// A client of the control API: the command line's way to a server that already has the data folder. Every refusal
// comes back as the AppError that the server threw.
import { AppError, type ErrorCode } from '../base/app-error.ts';
import type { CancelTimer, Clock } from '../base/clock.ts';
import { systemClock } from '../base/system-clock.ts';
import type { Call } from '../contract/index.ts';
import { serverSilent, serverTimedOut } from '../domain/request-errors.ts';
import { controlTokenHeader } from '../http/control-api/control-token.ts';
import { controlPrefix, errorCodeHeader } from '../http/control-api/create-control-api.ts';
import { httpStatus } from '../http/error-response.ts';

export type ControlClientOptions = {
  /** The server's origin. */
  readonly url: string;
  /** The token of its `server.json`, or an access token. */
  readonly token: string;
  /** Error for a server that does not answer as one should; default: one that holds a data folder. */
  readonly silent?: typeof serverSilent;
  readonly clock?: Clock;
  /** How long one call may take. Cancelling ends processes first, so this is long. */
  readonly timeoutMs?: number | undefined;
};

/** Each call throws the server's own AppError, or one that says that the server is silent or too slow. */
export function createControlClient(options: ControlClientOptions): Call {
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const response = await send(options, name, input);
    const envelope = parseEnvelope(response.text);
    if (envelope?.success === true) return envelope.data;
    throw errorFrom(options, response, envelope);
  };
  return call as Call;
}

type Response = { readonly text: string; readonly code: string | null };

async function send(options: ControlClientOptions, name: string, input: unknown): Promise<Response> {
  const { url, token, clock = systemClock, timeoutMs = 60_000 } = options;
  const timeout = abortAfter(clock, timeoutMs);
  try {
    const response = await fetch(`${url}${controlPrefix}/call/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [controlTokenHeader]: token },
      body: JSON.stringify(input),
      signal: timeout.signal,
      redirect: 'error',
    });
    return { text: await response.text(), code: response.headers.get(errorCodeHeader) };
  } catch (cause) {
    if (timeout.signal.aborted) throw serverTimedOut(url, timeoutMs / 1000);
    throw (options.silent ?? serverSilent)(url, cause);
  } finally {
    timeout.cancel();
  }
}

function abortAfter(clock: Clock, ms: number): { signal: AbortSignal; cancel: CancelTimer } {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: clock.setTimer(ms, () => controller.abort()) };
}

type Envelope = { readonly success?: unknown; readonly data?: unknown; readonly error?: unknown };

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // another program answered, not Rowbench
  }
}

function errorFrom(
  { url, silent = serverSilent }: ControlClientOptions,
  response: Response,
  envelope: Envelope | undefined,
): AppError {
  if (typeof envelope?.error !== 'string') return silent(url);
  return new AppError(isErrorCode(response.code) ? response.code : 'invalid_input', envelope.error);
}

const isErrorCode = (code: string | null): code is ErrorCode =>
  code !== null && Object.hasOwn(httpStatus, code);
