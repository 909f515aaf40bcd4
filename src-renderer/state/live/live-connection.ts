// Keeps the page connected to the live feed: reads, detects silence, reconnects from its last position. A hidden page
// gives its connection up, because a browser has only six for all pages of one server.
import type { LiveMessage } from '#contract';
import { problemText } from '../../format/problem-text.ts';
import type { ControlApi } from '../../api/control-api.ts';
import { ControlError } from '../../api/control-error.ts';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The page is hidden. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'lost'; readonly reason: string; readonly retryInMs: number }
  /** The server is another one now, or ended the session: there is no way back but a new link. */
  | { readonly kind: 'ended' };

type Timers = {
  /** Calls once, `ms` from now, unless the returned function is called first. */
  readonly setTimer: (ms: number, fire: () => void) => () => void;
};

export type ConnectionParts = {
  readonly watch: ControlApi['watch'];
  readonly timers: Timers;
  readonly onMessage: (message: LiveMessage) => void;
  readonly onState: (state: ConnectionState) => void;
};

/** Twice the server's own sign of life, and a little. */
export const silenceMs = 35_000;
/** The first tries come fast, for a server that is only restarted; later ones leave a machine alone. */
export const retryMs = [500, 1_000, 2_000, 5_000] as const;

export class LiveConnection {
  readonly #parts: ConnectionParts;
  #position: string | undefined;
  #failures = 0;
  #reading: AbortController | undefined;
  #cancelRetry = (): void => undefined;
  #isEnded = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Connects now, whatever it waited for. */
  connect(): void {
    if (this.#isEnded || this.#reading !== undefined) return;
    this.#cancelRetry();
    if (this.#failures === 0) this.#parts.onState({ kind: 'connecting' });
    void this.#read();
  }

  /** Lets go of the connection until `connect`. */
  rest(): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#failures = 0;
    this.#parts.onState({ kind: 'resting' });
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
      await this.#parts.watch({
        after: this.#position,
        signal: reading.signal,
        onAlive: silence.restart,
        onMessage: (message, position) => {
          // A page that rests, or has turned to a newer connection, hears nothing of an old one.
          if (this.#reading !== reading) return;
          this.#position = position;
          this.#failures = 0;
          this.#parts.onMessage(message);
          this.#parts.onState({ kind: 'live' });
        },
      });
    } catch (error) {
      if (this.#reading === reading && isSessionEnd(error)) return this.#end();
      reason = problemText(error);
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
    this.#parts.onState({ kind: 'lost', reason, retryInMs });
    this.#cancelRetry = this.#parts.timers.setTimer(retryInMs, () => this.connect());
  }

  #watchSilence(reading: AbortController): { restart: () => void; stop: () => void } {
    let stop = (): void => undefined;
    const restart = (): void => {
      stop();
      stop = this.#parts.timers.setTimer(silenceMs, () => reading.abort());
    };
    restart();
    return { restart, stop: () => stop() };
  }

  #end(): void {
    this.close();
    this.#parts.onState({ kind: 'ended' });
  }
}

const isSessionEnd = (error: unknown): boolean =>
  error instanceof ControlError && error.code === 'session_ended';
