// Keeps the page connected to the live feed: reads, detects silence, reconnects from its last position. A hidden page
// closes its connection, because a browser allows only six for all pages of one server.
import { errorText, type LiveMessage } from '#contract';
import type { ControlApi } from '../../api/control-api.ts';
import { ControlError } from '../../api/control-error.ts';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The page is hidden. */
  | { readonly kind: 'suspended' }
  | { readonly kind: 'lost'; readonly reason: string; readonly retryInMs: number }
  /** The server was restarted or ended the session. The user needs a new link. */
  | { readonly kind: 'ended' };

type Timers = {
  /** Calls `fire` once after `ms`. The returned function cancels the timer. */
  readonly setTimer: (ms: number, fire: () => void) => () => void;
};

export type LiveConnectionDeps = {
  readonly watch: ControlApi['watch'];
  readonly timers: Timers;
  readonly onMessage: (message: LiveMessage) => void;
  readonly onState: (state: ConnectionState) => void;
};

/** Silence after which the connection counts as lost: a little more than two heartbeats of the server. */
export const silenceMs = 35_000;
/** Delays between attempts to reconnect: short at first, since a restarted server is back soon. */
export const retryMs = [500, 1_000, 2_000, 5_000] as const;

export class LiveConnection {
  readonly #deps: LiveConnectionDeps;
  #position: string | undefined;
  #failures = 0;
  #reading: AbortController | undefined;
  #cancelRetry = (): void => undefined;
  #isEnded = false;

  constructor(deps: LiveConnectionDeps) {
    this.#deps = deps;
  }

  /** Connects at once, without waiting for the next retry. */
  connect(): void {
    if (this.#isEnded || this.#reading !== undefined) return;
    this.#cancelRetry();
    if (this.#failures === 0) this.#deps.onState({ kind: 'connecting' });
    void this.#read();
  }

  /** Closes the connection until `connect` is called. */
  suspend(): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#failures = 0;
    this.#deps.onState({ kind: 'suspended' });
  }

  close(): void {
    this.#isEnded = true;
    this.#stop();
  }

  #stop(): void {
    this.#cancelRetry();
    const reading = this.#reading;
    this.#reading = undefined;
    reading?.abort();
  }

  async #read(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    const silence = this.#watchSilence(reading);
    let reason = 'The server closed the connection';
    try {
      await this.#deps.watch({
        after: this.#position,
        signal: reading.signal,
        onAlive: silence.restart,
        onMessage: (message, position) => {
          // Messages of an older connection are ignored.
          if (this.#reading !== reading) return;
          this.#position = position;
          this.#failures = 0;
          this.#deps.onMessage(message);
          this.#deps.onState({ kind: 'live' });
        },
      });
    } catch (error) {
      if (this.#reading === reading && isSessionEnd(error)) return this.#end();
      reason = errorText(error);
    } finally {
      silence.stop();
    }
    if (this.#reading !== reading) return;
    this.#reading = undefined;
    this.#retryLater(reason);
  }

  #retryLater(reason: string): void {
    const retryInMs = retryMs[Math.min(this.#failures, retryMs.length - 1)] ?? retryMs[0];
    this.#failures += 1;
    this.#deps.onState({ kind: 'lost', reason, retryInMs });
    this.#cancelRetry = this.#deps.timers.setTimer(retryInMs, () => this.connect());
  }

  #watchSilence(reading: AbortController): { restart: () => void; stop: () => void } {
    let stop = (): void => undefined;
    const restart = (): void => {
      stop();
      stop = this.#deps.timers.setTimer(silenceMs, () => reading.abort());
    };
    restart();
    return { restart, stop: () => stop() };
  }

  #end(): void {
    this.close();
    this.#deps.onState({ kind: 'ended' });
  }
}

const isSessionEnd = (error: unknown): boolean =>
  error instanceof ControlError && error.code === 'session_ended';
