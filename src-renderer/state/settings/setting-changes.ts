// Changes settings on the server, confirms each change with a message, and offers an undo.
// INVARIANT: a change and its undo are computed from the settings stored when they are sent, not from the feed's state.
// A setting of several entries, such as the scenarios, is sent whole, and must not restore an older entry. Therefore
// changes are sent one after another.
import { errorText, type Call, type SettingName, type Settings, type SettingsChange } from '#contract';
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

/** The value `now` without the change. Records are reverted entry by entry; entries edited since stay. Undefined stands for no value. */
export function revertChange(now: unknown, { before, after }: Record<'before' | 'after', unknown>): unknown {
  if (isSame(now, after)) return before;
  if (!isRecord(now) || !isRecord(after) || !isRecord(before)) return now;
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const entries = [...names].map((name) => [
    name,
    revertChange(entryOf(now, name), { before: entryOf(before, name), after: entryOf(after, name) }),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown;
}

/** True if two values of settings are equal: texts, numbers, lists or records. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return JSON.stringify(one) === JSON.stringify(other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads own properties only: a workflow may be named like a property of every object, such as `toString`. */
const entryOf = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
