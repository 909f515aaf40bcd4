// The page's side of the control API. The token lives in these closures alone: not in the document, not in any storage.
import {
  confirmedCalls,
  type CallAfterConfirmation,
  type ConfirmedCall,
  type Call,
  type DesktopBridge,
  type Role,
} from '#contract';
import { ControlError, sessionEnded, tokenNeeded, unreachable, userSessionEnded } from './control-error.ts';
import { readEvents, type EventReading } from './event-stream.ts';
import { loadPairing, removePairing, savePairing, type Pairing } from './pairing.ts';

/** The user of a team server. */
export type SignedInUser = { readonly name: string; readonly role: Role };

export type ControlApi = {
  /** Undefined on a server with one user. */
  readonly user: SignedInUser | undefined;
  /** Ends the session of a team server's user. Throws `ControlError`. */
  readonly signOut: () => Promise<void>;
  /** Id of this browser's pairing; undefined in the desktop window, which needs none. */
  readonly browserId: string | undefined;
  /** Throws `ControlError`. */
  readonly call: Call;
  /** Sends rows below the control API's prefix; gives the answer's data. Throws `ControlError`. */
  readonly upload: (path: string, body: Blob, signal?: AbortSignal) => Promise<unknown>;
  /**
   * The response body of a GET below the control API's prefix, or of a POST with a body (a file, or a value as JSON), as a
   * stream. Throws `ControlError`.
   */
  readonly download: (
    path: string,
    signal?: AbortSignal,
    body?: unknown,
  ) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Resolves when the stream ends; throws `ControlError`. */
  readonly watch: (reading: EventReading) => Promise<void>;
};

type Fetch = typeof fetch;

const prefix = '/_rowbench/v1';

/** Pairs this browser by a link's one-time code. Throws `ControlError` for one that was used or is too old. */
export async function openSession(code: string, send: Fetch = fetch): Promise<ControlApi> {
  const response = await post(send, `${prefix}/session`, { code });
  if (response.status === 401) throw new ControlError('link_used', await messageOf(response));
  const { folderId, token, browserId, secret } = (await dataOf(response)) as NewPairing;
  savePairing(folderId, { browserId, secret });
  return createControlApi({ folderId, browserId, token }, send);
}

type NewPairing = Pairing & { readonly folderId: string; readonly token: string };

/** Signs in to a team server; from then on a cookie opens it. Throws `ControlError` for a token that is not valid. */
export async function signInWith(token: string): Promise<ControlApi> {
  const { user } = (await dataOf(await post(fetch, `${prefix}/session`, { token }))) as SessionState;
  return createControlApi(undefined, fetch, user);
}

/**
 * A session that needs no link: in a browser that was paired before, and in the desktop window, whose own process proves
 * each request. undefined in any other browser. Throws `ControlError`, `signed_out` for a pairing that was ended, `token_needed` where
 * users sign in.
 */
export async function resumeSession(
  send: Fetch = fetch,
  ask = (globalThis as { readonly rowbench?: DesktopBridge }).rowbench?.ask,
): Promise<ControlApi | undefined> {
  const { isOpen, folderId, asks, user } = await askSession(send);
  if (isOpen) {
    const api = createControlApi(undefined, send, user);
    return ask === undefined ? api : { ...api, call: confirmedCall(api.call, ask) };
  }
  if (asks === 'token') throw tokenNeeded();
  const access = await pairedAccess(folderId, send);
  return access === undefined ? undefined : createControlApi(access, send);
}

type SessionState = {
  readonly isOpen: boolean;
  readonly folderId: string;
  /** Only of a team server. */
  readonly asks?: 'token';
  readonly user?: SignedInUser;
};

async function askSession(send: Fetch): Promise<SessionState> {
  const response = await send(`${prefix}/session`).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  return (await dataOf(response)) as SessionState;
}

/** This start's token for the browser's secret; undefined if it has none for that data folder. */
async function pairedAccess(folderId: string, send: Fetch): Promise<Access | undefined> {
  const pairing = loadPairing(folderId);
  if (pairing === undefined) return undefined;
  const response = await post(send, `${prefix}/session`, { secret: pairing.secret });
  if (response.status === 401) {
    removePairing(folderId);
    throw new ControlError('signed_out', await messageOf(response));
  }
  const { token } = (await dataOf(response)) as { token: string };
  return { folderId, browserId: pairing.browserId, token };
}

/** Calls that the window's own process makes, once it has asked the user. */
function confirmedCall(call: Call, ask: CallAfterConfirmation): Call {
  const needsConsent = (name: string): name is ConfirmedCall => confirmedCalls.some((each) => each === name);
  const callWithConsent = async (name: ConfirmedCall, input: never): Promise<unknown> => {
    const answer = await ask(name, input);
    if ('data' in answer) return answer.data;
    throw new ControlError(answer.code, answer.message);
  };
  return ((name, input) =>
    needsConsent(name) ? callWithConsent(name, input as never) : call(name, input)) as Call;
}

/** A paired browser's access to one data folder. The token is that of one start of the server. */
export type Access = { readonly folderId: string; readonly browserId: string; readonly token: string };

/**
 * @param access undefined where each request is proved outside of the page, or by a cookie
 * @param user of a team server
 */
export function createControlApi(
  access: Access | undefined,
  send: Fetch = fetch,
  user?: SignedInUser,
): ControlApi {
  const request = withAccess(access, send, user === undefined ? sessionEnded : userSessionEnded);
  const call = async (name: string, input: unknown): Promise<unknown> =>
    dataOf(await request(`/call/${name}`, { ...jsonBody(input), keepalive: outlivesPage(name) }));
  const watch = async (reading: EventReading): Promise<void> => {
    const { after, signal } = reading;
    const headers = after === undefined ? {} : { 'last-event-id': after };
    const response = await request('/events', { headers, signal });
    if (!response.ok || response.body === null) throw await errorOf(response);
    await readEvents(response.body, reading);
  };
  const upload: ControlApi['upload'] = async (path, body, signal) => {
    const headers = { 'content-type': body.type === '' ? 'application/json' : body.type };
    const end = signal === undefined ? {} : { signal };
    return dataOf(await request(path, { method: 'POST', headers, body, ...end }));
  };
  const download: ControlApi['download'] = async (path, signal, body) => {
    const init = body === undefined ? {} : body instanceof Blob ? fileBody(body) : jsonBody(body);
    const response = await request(path, signal === undefined ? init : { ...init, signal });
    if (!response.ok) throw await errorOf(response);
    if (response.body === null) throw unreachable(undefined);
    return response.body;
  };
  const signOut = async (): Promise<void> =>
    void (await dataOf(await request('/session', { method: 'DELETE' })));
  return { user, signOut, browserId: access?.browserId, call: call as Call, upload, download, watch };
}

/** True if the browser sends the call even while the page is closed. */
const outlivesPage = (name: string): boolean => name === 'author.release';

const fileBody = (body: Blob): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/octet-stream' },
});

type Request = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends requests with the token. A restarted server has another one: the page gets it by its pairing and sends the
 * request again, which the server has refused before it looked at it.
 */
function withAccess(first: Access | undefined, send: Fetch, ended: () => ControlError): Request {
  let access = first;
  let renewing: Promise<void> | undefined;
  const attempt: Request = async (path, init) => {
    const token: Record<string, string> = access === undefined ? {} : { 'x-rowbench-token': access.token };
    try {
      return await send(prefix + path, { ...init, headers: { ...token, ...init.headers } });
    } catch (cause) {
      throw unreachable(cause);
    }
  };
  return async (path, init) => {
    const used = access;
    const response = await attempt(path, init);
    if (response.status !== 401) return response;
    if (used === undefined) throw ended();
    if (access === used) {
      renewing ??= renewedAccess(used, send)
        .then((renewed) => void (access = renewed))
        .finally(() => (renewing = undefined));
      await renewing;
    }
    const again = await attempt(path, init);
    if (again.status === 401) throw sessionEnded();
    return again;
  };
}

/** Throws `session_ended` for a browser that was signed out, and where another data folder is served now. */
async function renewedAccess({ folderId }: Access, send: Fetch): Promise<Access> {
  const state = await askSession(send);
  if (state.folderId !== folderId) throw sessionEnded();
  try {
    const access = await pairedAccess(folderId, send);
    if (access !== undefined) return access;
  } catch (error) {
    if (!(error instanceof ControlError && error.code === 'signed_out')) throw error;
  }
  throw sessionEnded();
}

const jsonBody = (input: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(input),
});

async function post(send: Fetch, path: string, input: unknown): Promise<Response> {
  try {
    return await send(path, jsonBody(input));
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
