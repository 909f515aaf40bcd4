// Says how many rows an attempt has fixed, wherever the user is when it ends.
import { untrack } from 'svelte';
import { count, type RunView } from '#contract';
import { runOf } from '../live/live-state.ts';
import type { App } from '../shell/app.svelte.ts';
import type { OriginalRun } from './row-editor.svelte.ts';

/** `79 fixed, 4 failed again`; undefined for a run that has not ended by itself. */
function fixText({ status, rowsDone, rowsFailed }: RunView): string | undefined {
  if (status !== 'completed') return undefined;
  return rowsFailed === 0
    ? `${count(rowsDone)} fixed`
    : `${count(rowsDone)} fixed, ${count(rowsFailed)} failed again`;
}

/** Shows a toast once the run has ended, if its rows are failed ones of another run. */
export function announceFix(app: App, runId: string, origin: OriginalRun | undefined): void {
  if (origin?.rows !== 'failed') return;
  const stop = $effect.root(() => {
    $effect(() => {
      const run = runOf(app.live?.runs ?? [], runId);
      if (run === undefined || run.finishedAt === null) return;
      const text = fixText(run);
      untrack(() => {
        if (text !== undefined) app.toasts.done(text);
        queueMicrotask(stop);
      });
    });
  });
}
