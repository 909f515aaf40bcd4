// Changes settings on the server, confirms each change with a message, and offers an undo.
// INVARIANT: a change and its undo are computed from the settings stored when they are sent, not from the feed's state.
// A setting of several entries, such as the scenarios, is sent whole, and must not restore an older entry. Therefore
// changes are sent one after another.
import { errorText, type Call, type SettingName, type Settings, type SettingsChange } from '#contract';
import { isSame, revertChange } from './revert-change.ts';
import type { Toasts } from '../toasts.svelte.ts';

type SettingChangesDeps = {
  readonly session: { readonly call: Call };
  readonly toasts: Pick<Toasts, 'done' | 'problem'>;
};

type Change = { readonly before: Settings; readonly after: Settings; readonly names: readonly SettingName[] };

export class SettingChanges {
  readonly #call: Call;
  readonly #toasts: SettingChangesDeps['toasts'];
  #last: Promise<unknown> = Promise.resolve();

  constructor({ session, toasts }: SettingChangesDeps) {
    this.#call = session.call;
    this.#toasts = toasts;
  }

  /**
   * Changes settings and offers an undo. Rejects with a message for the field that the server objects to.
   * @param changes the new values, or a function that computes them from the stored settings
   * @param message confirms the change
   */
  async change(
    changes: SettingsChange | ((stored: Settings) => SettingsChange),
    message: string,
  ): Promise<void> {
    try {
      const change = await this.#afterOthers(() => this.#send(changes));
      this.#toasts.done(message, () => void this.#undo(change));
    } catch (error) {
      throw new Error(fieldProblem(errorText(error)), { cause: error });
    }
  }

  #afterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  async #send(changes: SettingsChange | ((stored: Settings) => SettingsChange)): Promise<Change> {
    const { stored: before } = await this.#call('settings.show', {});
    const values = typeof changes === 'function' ? changes(before) : changes;
    const { stored: after } = await this.#call('settings.change', values);
    return { before, after, names: Object.keys(values) as SettingName[] };
  }

  async #undo(change: Change): Promise<void> {
    try {
      const isUndone = await this.#afterOthers(() => this.#revert(change));
      this.#toasts.done(isUndone ? 'Undone' : 'Not undone: it was changed again since');
    } catch (error) {
      this.#toasts.problem(error);
    }
  }

  /** Resolves to false if all of the change was overwritten since, so that nothing is left to revert. */
  async #revert({ before, after, names }: Change): Promise<boolean> {
    const { stored: now } = await this.#call('settings.show', {});
    const reverted = names
      .map((name) => [name, revertChange(now[name], { before: before[name], after: after[name] })] as const)
      .filter(([name, value]) => !isSame(value, now[name]));
    if (reverted.length === 0) return false;
    // Null removes a setting that was not stored before.
    const values = Object.fromEntries(reverted.map(([name, value]) => [name, value ?? null]));
    await this.#call('settings.change', values);
    return true;
  }
}

/** The server's message without the name of the setting, since the field next to it has a label. */
function fieldProblem(message: string): string {
  const words = message.replace(/^Invalid input: /, '').replace(/ \([\w.-]+\)$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
