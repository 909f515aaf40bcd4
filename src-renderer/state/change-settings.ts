// Changes one setting at a time on the server, confirms it with a message, and offers an undo.
// INVARIANT: a change and its undo are computed from the settings stored when they are sent, not from the feed's state.
// A setting of several entries, such as the scenarios, is sent whole, and must not restore an older entry.
import type { Call, SettingName, Settings, SettingsChange } from '#contract';
import { problemText } from '../format/problem-text.ts';
import type { OneByOne } from './one-by-one.ts';
import { isSame, withoutChange } from './take-back.ts';
import type { Toasts } from './toasts.svelte.ts';

type ChangeParts = {
  readonly session: { readonly call: Call };
  readonly toasts: Pick<Toasts, 'done' | 'problem'>;
  readonly settingChanges: OneByOne;
};

type Made = { readonly before: Settings; readonly after: Settings; readonly names: readonly SettingName[] };

/**
 * Changes settings and offers an undo. Resolves to undefined, or to the server's error for the field that it concerns.
 * @param wanted what changes, or how to tell from what is stored
 * @param said what was done, in words
 */
export async function changeSettings(
  app: ChangeParts,
  wanted: SettingsChange | ((stored: Settings) => SettingsChange),
  said: string,
): Promise<string | undefined> {
  try {
    const made = await app.settingChanges.run(() => change(app, wanted));
    app.toasts.done(said, () => void takeBack(app, made));
    return undefined;
  } catch (error) {
    return fieldProblem(problemText(error));
  }
}

async function change(
  { session }: ChangeParts,
  wanted: SettingsChange | ((stored: Settings) => SettingsChange),
): Promise<Made> {
  const { stored: before } = await session.call('settings.show', {});
  const changes = typeof wanted === 'function' ? wanted(before) : wanted;
  const { stored: after } = await session.call('settings.change', changes);
  return { before, after, names: Object.keys(changes) as SettingName[] };
}

/** The words beside a field: that is the place that the server names, and the input that it calls invalid. */
function fieldProblem(message: string): string {
  const words = message.replace(/^Invalid input: /, '').replace(/ \([\w.-]+\)$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

async function takeBack(app: ChangeParts, made: Made): Promise<void> {
  try {
    const isUndone = await app.settingChanges.run(() => undo(app, made));
    app.toasts.done(isUndone ? 'Undone' : 'Not undone: it was changed again since');
  } catch (error) {
    app.toasts.problem(error);
  }
}

/** Gives whether anything of the change was still there to be taken back. */
async function undo({ session }: ChangeParts, { before, after, names }: Made): Promise<boolean> {
  const { stored: now } = await session.call('settings.show', {});
  const back = names
    .map((name) => [name, withoutChange(now[name], { before: before[name], after: after[name] })] as const)
    .filter(([name, value]) => !isSame(value, now[name]));
  if (back.length === 0) return false;
  // Null where nothing was stored before.
  await session.call(
    'settings.change',
    Object.fromEntries(back.map(([name, value]) => [name, value ?? null])),
  );
  return true;
}
