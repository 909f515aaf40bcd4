// Runs tests again when a file that they are made of changes, until the signal is aborted.
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { workflowNamesFor } from '../../domain/workflow/file-names.ts';
import type { LoadedTests } from './load-tests.ts';
import { FolderWatch } from './watch-folders.ts';

export type WatchParts = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The tests files that there are now. */
  readonly find: () => Promise<readonly string[]>;
  /** Runs some of them and shows how they went. */
  readonly run: (files: readonly string[]) => Promise<readonly LoadedTests[]>;
};

export async function watchTests({ clock, signal, find, run }: WatchParts): Promise<void> {
  const watch = new FolderWatch(clock);
  const close = (): void => watch.close();
  signal.addEventListener('abort', close, { once: true });
  const known = new Map<string, LoadedTests>();
  try {
    let files = await find();
    while (!signal.aborted) {
      // Before they are read, so that no change falls between.
      watch.follow(foldersOf(files, known));
      const due = files.filter((file) => !known.has(file));
      const ran = due.length === 0 ? [] : await run(due);
      ran.forEach((loaded) => known.set(loaded.file, loaded));
      watch.follow(foldersOf(files, known));
      const changed = await watch.changes();
      const stale = [...known.values()].filter((loaded) => isMadeOf(loaded, changed));
      stale.forEach(({ file }) => known.delete(file));
      files = await find();
    }
  } finally {
    signal.removeEventListener('abort', close);
    watch.close();
  }
}

const foldersOf = (files: readonly string[], known: ReadonlyMap<string, LoadedTests>): Set<string> =>
  new Set(files.flatMap((file) => [file, ...filesBeside(known.get(file))].map((path) => dirname(path))));

function isMadeOf(loaded: LoadedTests, changed: ReadonlySet<string>): boolean {
  const { file } = loaded;
  const workflows = workflowNamesFor(basename(file)).map((name) => join(dirname(file), name));
  return [file, ...workflows, ...filesBeside(loaded)].some((path) => changed.has(path));
}

/** Rows and cassettes. */
const filesBeside = (loaded: LoadedTests | undefined): string[] =>
  (loaded?.tests ?? []).flatMap(({ rows, cassette }) =>
    [rows, cassette].flatMap((name) =>
      typeof name === 'string' && loaded !== undefined ? [join(dirname(loaded.file), name)] : [],
    ),
  );
