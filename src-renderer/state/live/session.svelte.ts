// One session with the server: its live state and its calls. Only this file connects the feed to Svelte.
import { hasRole, maxCountedChains, type Call, type LiveMessage, type Role } from '#contract';
import type { ControlApi, SignedInUser } from '../../api/control-api.ts';
import { LiveConnection, type ConnectionState } from './live-connection.ts';
import { addChainCounts, addOlderRuns, applyMessage, type LiveState } from './live-state.ts';

/** Runs per request, as many as a snapshot has; about 400 KB. */
const runsAtOnce = 1_000;
/** Maximum runs in the list, so that filters and counts stay instant and memory stays small. */
const maxRuns = 20_000;
/** Delay before a hidden page closes its connection, so that switching through tabs does not reconnect. */
const suspendAfterMs = 5_000;

export class Session {
  /** Id of this browser's pairing; undefined in the desktop window. */
  readonly browserId: string | undefined;
  /** The user of a team server; undefined on a server with one user. */
  readonly user: SignedInUser | undefined;
  readonly signOut: ControlApi['signOut'];
  readonly call: Call;
  readonly upload: ControlApi['upload'];
  readonly download: ControlApi['download'];
  readonly #connection: LiveConnection;
  #live = $state.raw<LiveState | undefined>();
  #state = $state.raw<ConnectionState>({ kind: 'connecting' });
  readonly #isLost = $derived(this.#state.kind === 'lost');
  #hasAllRuns = $state(false);
  #loading: Promise<void> | undefined;
  /** Ids of chains whose counts were requested since the last snapshot. */
  #requestedChains: readonly string[] = [];
  #suspendTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: ControlApi) {
    this.browserId = api.browserId;
    this.user = api.user;
    this.signOut = api.signOut;
    this.call = api.call;
    this.upload = api.upload;
    this.download = api.download;
    this.#connection = new LiveConnection({
      watch: api.watch,
      timers: { setTimer: startTimer },
      onMessage: (message) => this.#apply(message),
      onState: (state) => {
        if (state.kind !== this.#state.kind || state.kind === 'lost') this.#state = state;
      },
    });
    this.#connection.connect();
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /** Undefined until the first snapshot has arrived. */
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

  /** True if `live` has every run that the server stores. */
  get hasAllRuns(): boolean {
    return this.#hasAllRuns;
  }

  /** Why the user may not do what takes the role; undefined: they may. */
  refusal(required: Role): string | undefined {
    const { user } = this;
    if (user === undefined || hasRole(user.role, required)) return undefined;
    return `This needs the role ${required}. Your access token has the role ${user.role}`;
  }

  /** Asks for the counts of chains that the page has not heard of; `live.chains` gets them. */
  async countChains(chainIds: readonly string[]): Promise<void> {
    const requested = chainIds
      .filter((id) => this.#live?.chains.has(id) === false && !this.#requestedChains.includes(id))
      .slice(0, maxCountedChains);
    if (requested.length === 0) return;
    this.#requestedChains = [...this.#requestedChains, ...requested];
    const counts = await this.call('chain.counts', { chainIds: requested }).catch(() => undefined);
    if (counts === undefined)
      this.#requestedChains = this.#requestedChains.filter((id) => !requested.includes(id));
    // What the feed has told meanwhile is newer.
    else if (this.#live !== undefined)
      this.#live = addChainCounts(
        this.#live,
        counts.filter(({ chainId }) => this.#live?.chains.has(chainId) === false),
      );
  }

  reconnect(): void {
    this.#connection.connect();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#connection.close();
  }

  readonly #onVisibility = (): void => {
    clearTimeout(this.#suspendTimer);
    if (document.hidden) this.#suspendTimer = setTimeout(() => this.#connection.suspend(), suspendAfterMs);
    else this.#connection.connect();
  };

  #apply(message: LiveMessage): void {
    this.#live = applyMessage(this.#live, message);
    if (message.type !== 'snapshot') return;
    this.#requestedChains = [];
    this.#hasAllRuns = message.snapshot.runs.length < runsAtOnce;
    this.#loading ??= this.#loadOlder().finally(() => {
      this.#loading = undefined;
    });
  }

  /** Loads the runs that are older than the snapshot, page by page. After a failed call, the next snapshot retries. */
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
