// Publishes changes to readers. Publishing costs no more than a note under the changed thing's name. Each reader gets
// updates at its own pace: a slow reader costs no memory and gets only the newest change of each thing.
// INVARIANT: for a reader that has caught up, its snapshot plus all changes since equals the current state.
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';

export type LiveFeedDeps<Snapshot> = {
  readonly clock: Clock;
  /** Id of this feed, so that a position in the feed of an earlier start is never mistaken for one in this feed. */
  readonly id: string;
  /** Everything as it is now. Changes published while it is made are sent after it. */
  readonly snapshot: () => Promise<Snapshot>;
};

/** `position` is what a reader gives to go on from there. */
export type FeedUpdate<Snapshot, Change> =
  | {
      readonly kind: 'snapshot';
      readonly position: string;
      readonly sequence: number;
      readonly snapshot: Snapshot;
    }
  | {
      readonly kind: 'changes';
      readonly position: string;
      readonly sequence: number;
      readonly changes: readonly Change[];
    }
  /** Nothing happened for a while. */
  | { readonly kind: 'quiet' };

export type FeedReading = {
  /** Position up to which the reader knows everything; without one, or with one long gone, it gets a snapshot. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
};

type Note<Change> = { readonly sequence: number; readonly change: () => Change };

/** Minimum time between two updates of one reader: eight a second look live. A page draws ten, with its own counts and requests. */
export const updateEveryMs = 125;
/** Well below the 65 s after which a silent connection is closed. */
export const quietAfterMs = 15_000;
/** Time for which changes are noted after the last reader left, in ms; a page reconnects sooner. */
export const bufferedAfterMs = 60_000;
/** Things that a reader may miss and still catch up with, about 400 KB; with more a snapshot is cheaper. */
export const maxNotes = 1_000;

export class LiveFeed<Snapshot, Change> {
  readonly #deps: LiveFeedDeps<Snapshot>;
  /** The last change of each thing, oldest first. */
  readonly #notes = new Map<string, Note<Change>>();
  readonly #closing = new AbortController();
  readonly #wakers = new Set<() => void>();
  #sequence = 0;
  #readers = 0;
  /** When the last one left, on the clock that never goes back. */
  #leftAt = -Infinity;
  /** Changes up to this number may be gone from the notes. */
  #forgotten = 0;

  constructor(deps: LiveFeedDeps<Snapshot>) {
    this.#deps = deps;
  }

  /**
   * Notes that a thing changed; an earlier change of it that was not sent yet is dropped.
   * @param change makes the new state when it is sent, which may be never or several times
   */
  publish(thing: string, change: () => Change): void {
    if (this.#closing.signal.aborted) return;
    this.#sequence += 1;
    if (!this.#mayHaveReaders) return this.#forgetAll();
    // Taken out first, so that the map stays in the order of the sequence.
    this.#notes.delete(thing);
    this.#notes.set(thing, { sequence: this.#sequence, change });
    if (this.#notes.size > maxNotes) this.#forgetOldest();
    if (this.#wakers.size > 0) for (const wake of [...this.#wakers]) wake();
  }

  /** Sends a snapshot or the missed changes, then each change, until the signal or `close`. Waits for a slow reader. */
  async *read(reading: FeedReading): AsyncGenerator<FeedUpdate<Snapshot, Change>> {
    this.#readers += 1;
    try {
      yield* this.#updates(reading);
    } finally {
      this.#readers -= 1;
      this.#leftAt = this.#deps.clock.monotonic();
    }
  }

  /** Ends all readings. */
  close(): void {
    this.#closing.abort();
  }

  async *#updates({ after, signal }: FeedReading): AsyncGenerator<FeedUpdate<Snapshot, Change>> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    let sequence = this.#sequenceOf(after);
    while (!ended.aborted) {
      if (sequence === undefined || sequence < this.#forgotten) {
        // Before the snapshot is made: changes meanwhile are sent once more, so none is missed.
        sequence = this.#sequence;
        const snapshot = await this.#deps.snapshot();
        yield { kind: 'snapshot', position: this.#position(sequence), sequence, snapshot };
      } else if (sequence === this.#sequence) {
        if (!(await this.#isChangedSoon(ended)) && !ended.aborted) yield { kind: 'quiet' };
        continue;
      } else {
        const changes = this.#since(sequence);
        sequence = this.#sequence;
        yield { kind: 'changes', position: this.#position(sequence), sequence, changes };
      }
      await pause(this.#deps.clock, ended);
    }
  }

  /** True if a reader is connected, or may reconnect and ask for missed changes. */
  get #mayHaveReaders(): boolean {
    return this.#readers > 0 || this.#deps.clock.monotonic() - this.#leftAt < bufferedAfterMs;
  }

  #since(sequence: number): Change[] {
    const changes: Change[] = [];
    for (const note of this.#notes.values()) if (note.sequence > sequence) changes.push(note.change());
    return changes;
  }

  #forgetAll(): void {
    this.#notes.clear();
    this.#forgotten = this.#sequence;
  }

  #forgetOldest(): void {
    for (const [thing, { sequence }] of this.#notes) {
      this.#notes.delete(thing);
      this.#forgotten = sequence;
      return;
    }
  }

  /** False when it stayed quiet, or when the reading ended. */
  #isChangedSoon(ended: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isChanged: boolean) => (): void => {
        this.#wakers.delete(wake);
        ended.removeEventListener('abort', stop);
        cancel();
        resolve(isChanged);
      };
      const wake = settle(true);
      const stop = settle(false);
      const cancel = this.#deps.clock.setTimer(quietAfterMs, stop);
      this.#wakers.add(wake);
      ended.addEventListener('abort', stop);
    });
  }

  #position(sequence: number): string {
    return `${this.#deps.id}-${sequence}`;
  }

  #sequenceOf(position: string | undefined): number | undefined {
    const { id } = this.#deps;
    if (position?.startsWith(`${id}-`) !== true) return undefined;
    const text = position.slice(id.length + 1);
    const sequence = Number(text);
    return /^\d{1,15}$/.test(text) && sequence <= this.#sequence ? sequence : undefined;
  }
}

async function pause(clock: Clock, ended: AbortSignal): Promise<void> {
  await sleep(clock, updateEveryMs, ended).catch((error: unknown) => {
    if (!ended.aborted) throw error;
  });
}
