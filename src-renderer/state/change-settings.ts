// One setting at a time: changed on the server, told in a word, and taken back by the same way.
import type { Call, SettingName, Settings, SettingsChange } from '#contract';
import { problemText } from '../format/problem-text.ts';
import type { Toasts } from './toasts.svelte.ts';

type ChangeParts = {
  readonly session: { readonly call: Call };
  readonly toasts: Pick<Toasts, 'done' | 'problem'>;
  readonly live: { readonly settings: { readonly stored: Settings } } | undefined;
};

/** What leads back from a change; null where nothing was stored before. */
function backFrom(stored: Settings, change: SettingsChange): SettingsChange {
  const names = Object.keys(change) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, stored[name] ?? null]));
}

/**
 * Changes settings and offers to undo it. What the server has against it is the answer, for the field that it concerns;
 * undefined once it is done.
 * @param said what was done, in words
 */
export async function changeSettings(
  app: ChangeParts,
  change: SettingsChange,
  said: string,
): Promise<string | undefined> {
  const before = app.live?.settings.stored;
  try {
    await app.session.call('settings.change', change);
  } catch (error) {
    return fieldProblem(problemText(error));
  }
  if (before === undefined) app.toasts.done(said);
  else app.toasts.done(said, () => void takeBack(app, backFrom(before, change)));
  return undefined;
}

/** The words beside a field: that is the place that the server names, and the input that it calls invalid. */
function fieldProblem(message: string): string {
  const words = message.replace(/^Invalid input: /, '').replace(/ \([\w.-]+\)$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

async function takeBack({ session, toasts }: ChangeParts, change: SettingsChange): Promise<void> {
  try {
    await session.call('settings.change', change);
    toasts.done('Undone');
  } catch (error) {
    toasts.problem(error);
  }
}
