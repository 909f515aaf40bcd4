// The page's side of the control API. The token lives in this closure alone: not in the document, not in any storage.
import { askedCalls, type Ask, type AskedCall, type Call, type DesktopBridge } from '#contract';
import { ControlError, sessionEnded, unreachable } from './control-error.ts';
import { readEvents, type EventReading } from './event-stream.ts';

export type ControlApi = {
  /** Throws `ControlError`. */
  readonly call: Call;
  /** Sends rows below the control API's prefix; gives the answer's data. Throws `ControlError`. */
  readonly upload: (path: string, body: Blob, signal?: AbortSignal) => Promise<unknown>;
  /** The response body of a GET below the control API's prefix, as a stream. Throws `ControlError`. */
  readonly download: (path: string, signal?: AbortSignal) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Resolves when the stream ends; throws `ControlError`. */
  readonly watch: (reading: EventReading) => Promise<void>;
};

type Fetch = typeof fetch;

const prefix = '/_rowbench/v1';

/** Changes a link's one-time code for a session. Throws `ControlError` for one that was used or is too old. */
export async function openSession(code: string, send: Fetch = fetch): Promise<ControlApi> {
  const response = await post(send, `${prefix}/session`, { code });
  if (response.status === 401) throw new ControlError('link_used', await messageOf(response));
  const { token } = (await dataOf(response)) as { token: string };
  return createControlApi(token, send);
}

/**
 * A session that is open without a link: in the desktop window, whose own process proves each request. undefined in a
 * browser. Throws `ControlError`.
 */
export async function openDesktopSession(
  send: Fetch = fetch,
  ask = (globalThis as { readonly rowbench?: DesktopBridge }).rowbench?.ask,
): Promise<ControlApi | undefined> {
  const response = await send(`${prefix}/session`).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  const { isOpen } = (await dataOf(response)) as { isOpen: boolean };
  if (!isOpen) return undefined;
  const api = createControlApi(undefined, send);
  return ask === undefined ? api : { ...api, call: askingCall(api.call, ask) };
}

/** Calls that the window's own process makes, once it has asked the user. */
function askingCall(call: Call, ask: Ask): Call {
  const isAsked = (name: string): name is AskedCall => askedCalls.some((each) => each === name);
  const asking = async (name: AskedCall, input: never): Promise<unknown> => {
    const answer = await ask(name, input);
    if ('data' in answer) return answer.data;
    throw new ControlError(answer.code, answer.message);
  };
  return ((name, input) => (isAsked(name) ? asking(name, input as never) : call(name, input))) as Call;
}

/** @param token undefined where each request is proved outside of the page */
export function createControlApi(token: string | undefined, send: Fetch = fetch): ControlApi {
  const headers: Record<string, string> = token === undefined ? {} : { 'x-rowbench-token': token };
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const response = await post(send, `${prefix}/call/${name}`, input, headers);
    if (response.status === 401) throw sessionEnded();
    return dataOf(response);
  };
  const watch = async (reading: EventReading): Promise<void> => {
    const { after, signal } = reading;
    const resume = after === undefined ? {} : { 'last-event-id': after };
    const response = await send(`${prefix}/events`, { headers: { ...headers, ...resume }, signal }).catch(
      (cause: unknown) => {
        throw unreachable(cause);
      },
    );
    if (response.status === 401) throw sessionEnded();
    if (!response.ok || response.body === null) throw await errorOf(response);
    await readEvents(response.body, reading);
  };
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    const given = { ...init, headers: { ...headers, ...init.headers } };
    const response = await send(prefix + path, given).catch((cause: unknown) => {
      throw unreachable(cause);
    });
    if (response.status === 401) throw sessionEnded();
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  const upload: ControlApi['upload'] = async (path, body, signal) => {
    const type = { 'content-type': 'application/json' };
    const end = signal === undefined ? {} : { signal };
    return dataOf(await request(path, { method: 'POST', headers: type, body, ...end }));
  };
  const download: ControlApi['download'] = async (path, signal) => {
    const { body } = await request(path, signal === undefined ? {} : { signal });
    if (body === null) throw unreachable(undefined);
    return body;
  };
  return { call: call as Call, upload, download, watch };
}

async function post(
  send: Fetch,
  path: string,
  ...[input, headers]: [input: unknown, headers?: Record<string, string>]
): Promise<Response> {
  try {
    return await send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
    });
  } catch (cause) {
    throw unreachable(cause);
  }
}

async function dataOf(response: Response): Promise<unknown> {
  if (!response.ok) throw await errorOf(response);
  return ((await response.json()) as { data: unknown }).data;
}

const errorOf = async (response: Response): Promise<ControlError> =>
  new ControlError(response.headers.get('x-rowbench-error') ?? 'unexpected', await messageOf(response));

async function messageOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { error?: unknown } | null;
  return typeof answer?.error === 'string' ? answer.error : `The server answered ${response.status}`;
}
