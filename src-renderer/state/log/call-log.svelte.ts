// The API log of a page: fetches new calls whenever the feed reports a newer number, then the use of the limits and the
// advice of the polling doctor.
import type { Advice, Call, LimitsView, LoggedCall } from '#contract';
import { Refresher } from '../refresher.ts';
import { addNewerCalls, addOlderCalls } from './call-list.ts';

const callsAtOnce = 500;
/** Minimum delay between two requests for limits and advice. */
const refreshEveryMs = 1_000;
/** Delay of the next request if no calls arrive, because limits recover and advice expires. */
const idleRefreshMs = 5_000;

export class CallLog {
  readonly #call: Call;
  readonly #onproblem: (error: unknown) => void;
  #calls = $state.raw<readonly LoggedCall[] | undefined>();
  #limits = $state.raw<LimitsView | undefined>();
  #advice = $state.raw<readonly Advice[]>([]);
  #problem = $state.raw<unknown>();
  #target = 0;
  #fetching: Promise<void> | undefined;
  readonly #refresher = new Refresher(() => this.#refreshLimits(), refreshEveryMs);
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #isLoaded = false;
  #isClosed = false;

  constructor(call: Call, onproblem: (error: unknown) => void) {
    this.#call = call;
    this.#onproblem = onproblem;
  }

  /** Newest first; undefined until the first calls have arrived. */
  get calls(): readonly LoggedCall[] | undefined {
    return this.#calls;
  }

  /** Error of the last request for calls; undefined if it succeeded. */
  get problem(): unknown {
    return this.#problem;
  }

  get limits(): LimitsView | undefined {
    return this.#limits;
  }

  get advice(): readonly Advice[] {
    return this.#advice;
  }

  /** Fetches the calls up to this number. */
  setNewest(newest: number): void {
    this.#target = newest;
    this.retry();
  }

  /** Fetches missing calls, unless a request is already pending. */
  retry(): void {
    this.#fetching ??= this.#fetchNewer()
      .then(
        () => {
          this.#problem = undefined;
        },
        (error: unknown) => {
          this.#problem = error;
        },
      )
      .finally(() => {
        this.#fetching = undefined;
      });
  }

  close(): void {
    this.#isClosed = true;
    this.#refresher.close();
    clearTimeout(this.#idleTimer);
  }

  async #fetchNewer(): Promise<void> {
    if (!this.#isLoaded) await this.#load();
    while (!this.#isClosed && this.#target > this.#newest) {
      const before = this.#newest;
      const range = before === 0 ? {} : { after: before };
      const { calls, oldest } = await this.#call('calls.list', { ...range, limit: callsAtOnce });
      this.#calls = addNewerCalls(this.#calls ?? [], calls, oldest);
      if (this.#newest === before) break;
    }
    this.#refresher.refresh();
  }

  /** Loads all calls that the server stores, newest first. */
  async #load(): Promise<void> {
    // After a failure, loading continues after the last call that is known.
    let known = this.#calls ?? [];
    for (;;) {
      const before = known.at(-1)?.number;
      const page = await this.#call('calls.list', {
        limit: callsAtOnce,
        ...(before === undefined ? {} : { before }),
      });
      known = addOlderCalls(known, page.calls);
      this.#calls = known;
      if (page.calls.length < callsAtOnce || this.#isClosed) break;
    }
    this.#isLoaded = true;
  }

  get #newest(): number {
    return this.#calls?.[0]?.number ?? 0;
  }

  async #refreshLimits(): Promise<void> {
    clearTimeout(this.#idleTimer);
    try {
      const [limits, advice] = await Promise.all([
        this.#call('limits.show', {}),
        this.#call('calls.advice', {}),
      ]);
      this.#limits = limits;
      this.#advice = advice;
    } catch (error) {
      this.#onproblem(error);
      return;
    }
    if (this.#isClosed || (this.#limits.meters.length === 0 && this.#advice.length === 0)) return;
    this.#idleTimer = setTimeout(() => this.#refresher.refresh(), idleRefreshMs);
  }
}
