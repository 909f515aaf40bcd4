// A service for workflows to call: it answers each path as the test says, and counts the calls.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** One call as it arrived. */
type UpstreamCall = {
  readonly method: string;
  /** Path with the query. */
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The `Idempotency-Key`, which the broker sends with every call. */
  readonly key: string;
  /** Number of earlier calls of this path. */
  readonly nth: number;
};

export type UpstreamAnswerer = (call: UpstreamCall, response: ServerResponse) => void;

export type TestUpstream = {
  readonly port: number;
  /** `http://127.0.0.1:port` and the path. */
  url(path: string): string;
  /** Everything that was asked, in order of arrival. */
  readonly calls: readonly UpstreamCall[];
  /** Calls of one path. */
  count(path: string): number;
  /** Number of calls with each `Idempotency-Key`. */
  keys(): Map<string, number>;
  /** Number of calls whose connection closed before the answer was sent in full. */
  readonly abandoned: () => number;
  close(): Promise<void>;
};

/** Starts one that is gone when the test is over. A path that is not named answers `{ "ok": true }`. */
export async function startUpstream(
  routes: Readonly<Record<string, UpstreamAnswerer>> = {},
): Promise<TestUpstream> {
  const calls: UpstreamCall[] = [];
  let abandoned = 0;
  const count = (path: string): number => calls.filter((call) => call.path === path).length;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const path = url.replace(/\?.*/s, '');
    const body = (await buffer(request)).toString('utf8');
    const call = {
      method,
      url,
      path,
      headers,
      body,
      key: String(headers['idempotency-key']),
      nth: count(path),
    };
    calls.push(call);
    response.once('close', () => (abandoned += response.writableFinished ? 0 : 1));
    (routes[path] ?? json({ ok: true }))(call, response);
  };
  // A caller that hangs up while it still sends has no answer to get.
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    port,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    calls,
    count,
    keys: () =>
      calls.reduce((keys, { key }) => keys.set(key, (keys.get(key) ?? 0) + 1), new Map<string, number>()),
    abandoned: () => abandoned,
    close,
  };
}

/** Answers with a value as JSON. */
export const json =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): UpstreamAnswerer =>
  (_call, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));

/** Answers with text or bytes as they are. */
export const bytes =
  (
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ): UpstreamAnswerer =>
  (_call, response) =>
    void response.writeHead(status, headers).end(body);

export const redirectTo =
  (location: string, status = 302): UpstreamAnswerer =>
  (_call, response) =>
    void response.writeHead(status, { location }).end();

/** Answers in turn; the last answer stays. */
export const inSequence =
  (...answers: readonly UpstreamAnswerer[]): UpstreamAnswerer =>
  (call, response) =>
    (answers[call.nth] ?? answers.at(-1) ?? json({ ok: true }))(call, response);

/** Delays an answer. */
export const slowly =
  (ms: number, answer: UpstreamAnswerer): UpstreamAnswerer =>
  (call, response) =>
    void setTimeout(() => answer(call, response), ms);

/** Never answers. */
export const hang: UpstreamAnswerer = () => undefined;

/** Answers with a head and never ends the body. */
export const hangInBody: UpstreamAnswerer = (_call, response) => void response.writeHead(200).write('x');

/** Hangs up without an answer. */
export const reset: UpstreamAnswerer = (_call, response) => void response.destroy();

/** Sends data for as long as the caller reads it. */
export const endless: UpstreamAnswerer = (_call, response) => {
  const piece = Buffer.alloc(65_536, 'x');
  const send = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200, { 'content-type': 'text/plain' }).on('drain', send);
  send();
};

/** 100 MB of the letter x in 100 KB; made once, since that takes a while. */
export const gzipBomb: UpstreamAnswerer = (call, response) => {
  bomb ??= gzipSync(Buffer.alloc(100_000_000, 'x'));
  bytes(bomb, { 'content-encoding': 'gzip' })(call, response);
};

let bomb: Uint8Array | undefined;
