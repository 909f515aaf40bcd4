// Where the calls of the last minute are counted. Who calls: LimitService, which has the rules.
import type { Clock } from '../../base/clock.ts';
import type { LimitName } from '../../domain/limits/published-limits.ts';
import { SlidingMinute } from '../../domain/limits/sliding-minute.ts';

/** The calls that one limit counts together. */
export type LimitSubject = {
  readonly limit: LimitName;
  /** The key's id, or the id of the workflow or run. */
  readonly subjectId: string;
};

/** Gets the calls of each subject, and the time in whole ms. */
type UseOfMinutes<Result> = (minutes: readonly SlidingMinute[], now: number) => Result;

export type CountedMinutes = {
  readonly now: number;
  /** Charged last first. */
  readonly counted: readonly (LimitSubject & { readonly minute: SlidingMinute })[];
};

export interface LimitWindows {
  /** Runs `act`, which may change the first subject's minute, as one step. Nothing is changed when it throws. */
  change<Result>(subjects: readonly LimitSubject[], act: UseOfMinutes<Result>): Promise<Result>;
  /** Runs `act`, which changes nothing. */
  read<Result>(subjects: readonly LimitSubject[], act: UseOfMinutes<Result>): Promise<Result>;
  /** All that count a call. */
  list(): Promise<CountedMinutes>;
}

export const subjectName = ({ limit, subjectId }: LimitSubject): string => `${limit} ${subjectId}`;

/**
 * Counts the calls to this process.
 * INVARIANT: reading allocates no memory for a subject.
 */
export class MemoryLimitWindows implements LimitWindows {
  readonly #clock: Clock;
  /** Least recently charged first, so that expired windows are at the front. */
  readonly #windows = new Map<string, LimitSubject & { readonly minute: SlidingMinute }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Windows held in memory. */
  get size(): number {
    return this.#windows.size;
  }

  async change<Result>(subjects: readonly LimitSubject[], act: UseOfMinutes<Result>): Promise<Result> {
    const now = this.#now();
    this.#dropExpired(now);
    const minutes = this.#minutesOf(subjects);
    const [minute] = minutes;
    const [subject] = subjects;
    const before = minute?.count(now) ?? 0;
    const result = act(minutes, now);
    if (subject !== undefined && minute !== undefined && minute.count(now) > before) {
      const name = subjectName(subject);
      this.#windows.delete(name);
      this.#windows.set(name, { ...subject, minute });
    }
    return result;
  }

  async read<Result>(subjects: readonly LimitSubject[], act: UseOfMinutes<Result>): Promise<Result> {
    return act(this.#minutesOf(subjects), this.#now());
  }

  async list(): Promise<CountedMinutes> {
    const now = this.#now();
    this.#dropExpired(now);
    return { now, counted: [...this.#windows.values()].reverse() };
  }

  #minutesOf(subjects: readonly LimitSubject[]): readonly SlidingMinute[] {
    return subjects.map((subject) => this.#windows.get(subjectName(subject))?.minute ?? new SlidingMinute());
  }

  /** Whole milliseconds, which add up exactly: after the reported wait, the call is accepted. */
  #now(): number {
    return Math.floor(this.#clock.monotonic());
  }

  #dropExpired(now: number): void {
    for (const [name, { minute }] of this.#windows) {
      if (!minute.isEmpty(now)) return;
      this.#windows.delete(name);
    }
  }
}
