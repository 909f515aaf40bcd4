// What every screen is given: the session, where the page is, and ways to speak to the person in front of it.
import { createContext } from 'svelte';
import type { RunView } from '#contract';
import type { LiveState } from './live-state.ts';
import type { Command } from './rank-commands.ts';
import type { Router } from './router.svelte.ts';
import { fitFor, verbDone, type RunVerb } from './run-verbs.ts';
import type { Session } from './session.svelte.ts';
import type { ThemeChoice } from './theme.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

type AppParts = {
  readonly session: Session;
  readonly router: Router;
  readonly toasts: Toasts;
  readonly theme: ThemeChoice;
};

export class App {
  readonly session: Session;
  readonly router: Router;
  readonly toasts: Toasts;
  readonly theme: ThemeChoice;
  /** Commands of the screen that is shown, for the palette. */
  #screenCommands = $state.raw<readonly Command[]>([]);

  constructor({ session, router, toasts, theme }: AppParts) {
    this.session = session;
    this.router = router;
    this.toasts = toasts;
    this.theme = theme;
  }

  get live(): LiveState | undefined {
    return this.session.live;
  }

  get screenCommands(): readonly Command[] {
    return this.#screenCommands;
  }

  /** Until the returned function is called; for a screen's effect. */
  offer(commands: readonly Command[]): () => void {
    this.#screenCommands = commands;
    return () => {
      if (this.#screenCommands === commands) this.#screenCommands = [];
    };
  }

  /** Does the verb to those that it fits, tells what came of it, and gives the runs that came back. */
  async doToRuns(verb: RunVerb, runs: readonly RunView[]): Promise<readonly RunView[]> {
    const fit = fitFor(verb, runs);
    const settled = await Promise.allSettled(fit.map((run) => this.#do(verb, run.runId)));
    const done = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = settled.find((result) => result.status === 'rejected');
    const [only] = fit;
    const what =
      done.length === 1 && only !== undefined ? `Run of ${only.workflowId}` : `${done.length} runs`;
    if (done.length > 0) this.toasts.done(`${what} ${verbDone[verb]}`);
    if (failed !== undefined) this.toasts.problem(failed.reason);
    return done;
  }

  #do(verb: RunVerb, runId: string): Promise<RunView> {
    const { call } = this.session;
    switch (verb) {
      case 'pause':
        return call('run.pause', { runId });
      case 'resume':
        return call('run.resume', { runId });
      case 'cancel':
        return call('run.cancel', { runId });
      case 'rerun':
        return call('run.rerun', { runId, rows: 'all' });
      case 'rerun-failed':
        return call('run.rerun', { runId, rows: 'failed' });
    }
  }
}

export const [getApp, setApp] = createContext<App>();
