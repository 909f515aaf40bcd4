// What the server keeps in memory of the previews of one workflow: the preview under way, and what the last one showed.
import { deferred, type Deferred } from '../base/deferred.ts';
import type { PreviewMode } from '../domain/run/preview.ts';
import type { PreviewRow } from '../executor/run/preview-rows.ts';
import type { PreviewResult } from './describe-preview.ts';
import { createCalledAnswers } from './preview-calls.ts';

/** One preview among those of its workflow. The next one aborts it. */
export type PreviewTurn = {
  readonly signal: AbortSignal;
  /** Resolves when the preview before it has ended. */
  readonly previousEnded: Promise<void>;
  /** Call it when the preview has ended, however it did. */
  readonly end: () => void;
};

/** The last preview that was shown. */
type ShownPreview = {
  readonly mode: PreviewMode;
  readonly rows: readonly PreviewRow[];
  readonly results: readonly PreviewResult[];
};

export class PreviewSession {
  #current: { readonly aborter: AbortController; readonly ended: Deferred } | undefined;
  /** Answers to calls that a user asked for. */
  readonly answers = createCalledAnswers();
  shown: ShownPreview | undefined;

  startTurn(): PreviewTurn {
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

  /** Puts a row in place of the same row of the last preview. */
  replaceResult(result: PreviewResult): void {
    if (this.shown === undefined) return;
    const { number } = result.view;
    const results = this.shown.results.map((each) => (each.view.number === number ? result : each));
    this.shown = { ...this.shown, results };
  }

  /** Aborts the preview under way. */
  close(): void {
    this.#current?.aborter.abort();
  }
}
