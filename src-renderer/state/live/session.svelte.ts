// One session with the server: its live state and its calls. The only place where the feed meets Svelte.
import type { Call, LiveMessage } from '#contract';
import type { ControlApi } from '../../api/control-api.ts';
import { LiveConnection, type ConnectionState } from './live-connection.ts';
import { addOlderRuns, applyMessage, type LiveState } from './live-state.ts';

/** As many as the snapshot holds; a page of them is about 400 KB. */
const runsAtOnce = 1_000;
/** Maximum runs in the list: filters and counts stay instant, and the page's memory stays small. */
const maxRuns = 20_000;
/** A tab that is only passed by keeps its connection. */
const restAfterMs = 5_000;

export class Session {
  readonly call: Call;
  readonly upload: ControlApi['upload'];
  readonly download: ControlApi['download'];
  readonly #connection: LiveConnection;
  #live = $state.raw<LiveState | undefined>();
  #state = $state.raw<ConnectionState>({ kind: 'connecting' });
  readonly #isLost = $derived(this.#state.kind === 'lost');
  #hasAllRuns = $state(false);
  #loading: Promise<void> | undefined;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: ControlApi) {
    this.call = api.call;
    this.upload = api.upload;
    this.download = api.download;
    this.#connection = new LiveConnection({
      watch: api.watch,
      timers: { setTimer: startTimer },
      onMessage: (message) => this.#hear(message),
      onState: (state) => {
        if (state.kind !== this.#state.kind || state.kind === 'lost') this.#state = state;
      },
    });
    this.#connection.connect();
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /** Undefined until the first snapshot is here. */
  get live(): LiveState | undefined {
    return this.#live;
  }

  get connection(): ConnectionState {
    return this.#state;
  }

  /** While true, requests would fail; once false again, the page may have missed messages of the feed. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether every run that the server keeps is in `live`. */
  get hasAllRuns(): boolean {
    return this.#hasAllRuns;
  }

  reconnect(): void {
    this.#connection.connect();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#connection.close();
  }

  readonly #onVisibility = (): void => {
    clearTimeout(this.#restTimer);
    if (document.hidden) this.#restTimer = setTimeout(() => this.#connection.rest(), restAfterMs);
    else this.#connection.connect();
  };

  #hear(message: LiveMessage): void {
    this.#live = applyMessage(this.#live, message);
    if (message.type !== 'snapshot') return;
    this.#hasAllRuns = message.snapshot.runs.length < runsAtOnce;
    this.#loading ??= this.#loadOlder().finally(() => {
      this.#loading = undefined;
    });
  }

  /** Runs beyond the snapshot, a page at a time; when a call fails the next snapshot tries again. */
  async #loadOlder(): Promise<void> {
    while (!this.#hasAllRuns && this.#live !== undefined && this.#live.runs.length < maxRuns) {
      const before = this.#live.runs.at(-1)?.runId;
      if (before === undefined) return;
      const older = await this.call('run.list', { before, limit: runsAtOnce }).catch(() => undefined);
      if (older === undefined) return;
      if (this.#live !== undefined) this.#live = addOlderRuns(this.#live, older);
      this.#hasAllRuns = older.length < runsAtOnce;
    }
  }
}

function startTimer(ms: number, fire: () => void): () => void {
  const timer = setTimeout(fire, ms);
  return () => clearTimeout(timer);
}
