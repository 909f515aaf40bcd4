// Runs tests again when a file that they are made of changes, until the signal is aborted.
import { basename, dirname, join, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { workflowFileName, workflowNamesFor } from '../../domain/workflow/file-names.ts';
import type { FilesBehind } from '../../services/source-service.ts';
import type { LoadedTests, TestedWorkflow } from '../../app/tests/load-tests.ts';
import { FolderWatch } from './watch-folders.ts';

export type WatchDeps = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The tests files that there are now. */
  readonly find: () => Promise<readonly string[]>;
  /** Runs some of them and shows how they went. */
  readonly run: (files: readonly string[]) => Promise<readonly LoadedTests[]>;
  /** The files and folders that a workflow depends on, besides its own file. */
  readonly behind: (workflow: TestedWorkflow) => Promise<FilesBehind>;
};

export async function watchTests({ clock, signal, find, run, behind }: WatchDeps): Promise<void> {
  const watch = new FolderWatch(clock);
  const close = (): void => watch.close();
  signal.addEventListener('abort', close, { once: true });
  /** By tests file, what its last results were made of. */
  const known = new Map<string, FilesBehind>();
  try {
    let files = await find();
    while (!signal.aborted) {
      // Before they are read, so that no change falls between.
      watch.follow(foldersOf(files, known));
      const began = clock.now();
      const due = files.filter((file) => !known.has(file));
      const ran = due.length === 0 ? [] : await run(due);
      for (const loaded of ran) known.set(loaded.file, await madeOf(loaded, behind));
      // Folders that the tests lead to are known only now.
      watch.follow(foldersOf(files, known), began);
      const changed = await watch.changes();
      const stale = [...known].filter(([, of]) => isStale(of, changed));
      stale.forEach(([file]) => known.delete(file));
      files = await find();
    }
  } finally {
    signal.removeEventListener('abort', close);
    watch.close();
  }
}

function foldersOf(files: readonly string[], known: ReadonlyMap<string, FilesBehind>): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    folders.add(dirname(resolve(file)));
    for (const path of known.get(file)?.files ?? []) folders.add(dirname(path));
    for (const folder of known.get(file)?.folders ?? []) folders.add(folder);
  }
  return folders;
}

const isStale = ({ files, folders }: FilesBehind, changed: ReadonlySet<string>): boolean =>
  [...changed].some((path) => files.has(path) || (workflowFileName.test(path) && folders.has(dirname(path))));

/** The tests file, its workflow, and what either names. */
async function madeOf(
  { file, tests, workflow }: LoadedTests,
  behind: WatchDeps['behind'],
): Promise<FilesBehind> {
  const folder = dirname(resolve(file));
  const named = tests.flatMap(({ rows, cassette, expect }) => [rows, cassette, expect.rows]);
  const names = [basename(file), ...workflowNamesFor(basename(file)), ...named.filter(isName)];
  const further = workflow === undefined ? undefined : await behind(workflow);
  return {
    files: new Set([...names.map((name) => join(folder, name)), ...(further?.files ?? [])]),
    folders: further?.folders ?? new Set(),
  };
}

const isName = (value: unknown): value is string => typeof value === 'string';
