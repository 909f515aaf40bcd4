import { deferred, type Deferred } from './deferred.ts';

/** A task that the next one aborts. */
export type StartedTask = {
  readonly signal: AbortSignal;
  /** Resolves when the task before it has ended. */
  readonly previousEnded: Promise<void>;
  /** Call it when the task has ended, however it did. */
  readonly end: () => void;
};

/** Tasks of which only the newest counts: it aborts the one before it. */
export class NewestTask {
  #current: { readonly aborter: AbortController; readonly ended: Deferred } | undefined;

  start(): StartedTask {
    const previous = this.#current;
    const current = { aborter: new AbortController(), ended: deferred() };
    this.#current = current;
    previous?.aborter.abort();
    const { signal } = current.aborter;
    return {
      signal,
      previousEnded: previous?.ended.promise ?? Promise.resolve(),
      end: () => current.ended.resolve(),
    };
  }

  /** Aborts the task under way. */
  abort(): void {
    this.#current?.aborter.abort();
  }
}
