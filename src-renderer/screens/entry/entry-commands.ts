// Commands of row entry in the palette.
import type { Command } from '../../state/shell/rank-commands.ts';

type EntryCommands = {
  /** Undefined while the rows cannot run. */
  readonly run: { readonly title: string; readonly act: () => void } | undefined;
  readonly views: readonly { readonly id: string; readonly title: string; readonly act: () => void }[];
  /** Undefined while there are no rows that can be saved. */
  readonly save: { readonly refusal: string | undefined; readonly act: () => void } | undefined;
  readonly showOptions: () => void;
};

/** Keys that run the rows. */
export const runKeys: readonly string[] = [navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl', '↵'];

export const entryCommands = ({ run, views, save, showOptions }: EntryCommands): readonly Command[] =>
  [
    ...(run === undefined ? [] : [{ id: 'run-rows', keys: runKeys, ...run }]),
    ...views.map(({ id, title, act }) => ({
      id: `entry-${id}`,
      title: `Rows: ${title}`,
      words: 'row entry import paste',
      act,
    })),
    ...(save === undefined ? [] : [{ id: 'entry-save', title: 'Save as row set', ...save }]),
    { id: 'entry-options', title: 'Run options: sample, calls, mocks, scenario', act: showOptions },
  ].map((command) => ({ section: 'Row entry', ...command }));
