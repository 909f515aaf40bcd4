// The calls that a page knows, updated by the newest call's number in the feed; also the limits and the polling
// doctor's advice.
import type { Advice, Call, LimitsView, LoggedCall } from '#contract';
import { addNewerCalls, addOlderCalls } from './call-list.ts';

const callsAtOnce = 500;
/** Meters and advice are for people: once a second is often enough. */
const judgeEveryMs = 1_000;
/** Without calls, limits free themselves and advice grows old. */
const idleJudgeMs = 5_000;

export class CallLog {
  readonly #call: Call;
  readonly #onproblem: (error: unknown) => void;
  #calls = $state.raw<readonly LoggedCall[] | undefined>();
  #limits = $state.raw<LimitsView | undefined>();
  #advice = $state.raw<readonly Advice[]>([]);
  #problem = $state.raw<unknown>();
  #wanted = 0;
  #catching: Promise<void> | undefined;
  #judging: ReturnType<typeof setTimeout> | undefined;
  #judgedAt = -Infinity;
  #isLoaded = false;
  #isClosed = false;

  constructor(call: Call, onproblem: (error: unknown) => void) {
    this.#call = call;
    this.#onproblem = onproblem;
  }

  /** Newest first; undefined until the first ones are here. */
  get calls(): readonly LoggedCall[] | undefined {
    return this.#calls;
  }

  /** Why calls that came cannot be shown. */
  get problem(): unknown {
    return this.#problem;
  }

  get limits(): LimitsView | undefined {
    return this.#limits;
  }

  get advice(): readonly Advice[] {
    return this.#advice;
  }

  /** There are calls up to this number. */
  hear(newest: number): void {
    this.#wanted = newest;
    this.retry();
  }

  /** Fetches the calls that are not here yet, unless it is about it. */
  retry(): void {
    this.#catching ??= this.#catchUp()
      .then(
        () => {
          this.#problem = undefined;
        },
        (error: unknown) => {
          this.#problem = error;
        },
      )
      .finally(() => {
        this.#catching = undefined;
      });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#judging);
  }

  async #catchUp(): Promise<void> {
    if (!this.#isLoaded) await this.#load();
    while (!this.#isClosed && this.#wanted > this.#newest) {
      const before = this.#newest;
      const range = before === 0 ? {} : { after: before };
      const { calls, oldest } = await this.#call('calls.list', { ...range, limit: callsAtOnce });
      this.#calls = addNewerCalls(this.#calls ?? [], calls, oldest);
      if (this.#newest === before) break;
    }
    this.#judgeSoon(judgeEveryMs);
  }

  /** All that are kept, the newest first. */
  async #load(): Promise<void> {
    // After a failure it goes on from where it was.
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

  #judgeSoon(everyMs: number): void {
    clearTimeout(this.#judging);
    if (this.#isClosed) return;
    const wait = Math.max(0, this.#judgedAt + everyMs - performance.now());
    this.#judging = setTimeout(() => void this.#judge(), wait);
  }

  async #judge(): Promise<void> {
    this.#judgedAt = performance.now();
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
    if (this.#limits.meters.length > 0 || this.#advice.length > 0) this.#judgeSoon(idleJudgeMs);
  }
}
