// HTTP over shared, reused connections. Loaded with the first call, since most commands never make one.
import { Agent, Pool } from 'undici';
import type { Readable } from 'node:stream';
import type { Bounds } from './bounds.ts';
import { checkedConnector, type ConnectRules } from './checked-connect.ts';
import type { Outgoing } from './outgoing.ts';

export type RawAnswer = {
  readonly status: number;
  /** Headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Values of the headers `set-cookie`, each for itself. */
  readonly setCookies: readonly string[];
  readonly body: Readable;
  /** Reads and drops an unwanted body, so that the connection can be reused; a long body closes the connection. */
  discard(): Promise<void>;
};

/** Maximum connections per origin: as many as rows that one run may have in flight. */
const connectionsPerOrigin = 1000;
/** Bytes of a body that are buffered. A connection delivers up to 64 KB at a time. */
const bodyBufferBytes = 16_384;
/** Maximum bytes of an unwanted body that are read. For longer ones a new connection is cheaper. */
const discardedBytes = 16_384;

export class Transport {
  readonly #agent: Agent;

  constructor(rules: ConnectRules, bounds: Bounds) {
    this.#agent = new Agent({
      factory: (origin, options) =>
        new Pool(origin, { ...options, connect: checkedConnector(new URL(origin), rules) }),
      connections: connectionsPerOrigin,
      // 0 closes each connection behind its answer.
      pipelining: bounds.reusesConnections ? 1 : 0,
      maxHeaderSize: bounds.headBytes,
      // The call has its own timeouts, on its own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a request. Rejects with the signal's reason or the error of the connection. */
  async send(request: Outgoing, signal: AbortSignal): Promise<RawAnswer> {
    const { url } = request;
    const answer = await this.#agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: request.headers.flat(),
      body: request.body ?? null,
      signal,
      highWaterMark: bodyBufferBytes,
    });
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, textOf(value)] as const);
    const { statusCode: status, body } = answer;
    // A reader of the body gets the error. Without a reader, an error event without a listener would end the process.
    body.on('error', () => undefined);
    const discard = async (): Promise<void> => {
      await body.dump({ limit: discardedBytes, signal });
    };
    const setCookies = [answer.headers['set-cookie'] ?? []].flat();
    return { status, headers: new Map(headers), setCookies, body, discard };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(', ') : (value ?? '');
