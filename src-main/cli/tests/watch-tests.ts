// Runs tests again when a file that they are made of changes, until the signal is aborted.
import { existsSync, readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Clock, CancelTimer } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { workflowFileName, workflowNamesFor } from '../../domain/workflow/file-names.ts';
import { filesOfTests } from '../../domain/workflow/named-files.ts';
import type { FilesBehind } from '../../services/workflows/source-service.ts';
import type { LoadedTests, TestedWorkflow } from '../../services/tests/load-tests.ts';

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
  const named = filesOfTests(tests).map(({ path }) => path);
  const names = [basename(file), ...workflowNamesFor(basename(file)), ...named];
  const further = workflow === undefined ? undefined : await behind(workflow);
  return {
    files: new Set([...names.map((name) => join(folder, name)), ...(further?.files ?? [])]),
    folders: further?.folders ?? new Set(),
  };
}

// Tells of changed files in folders, a moment after the last change: an editor that saves makes several at once.

/** Longer than an editor takes to write, replace and rename; shorter than a person waits. */
const quietMs = 100;
/** A file's times come from a clock that is that far behind at most, in ms: it ticks a hundred times a second. */
const tickMs = 10;

class FolderWatch {
  readonly #clock: Clock;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Set<string>();
  #arrived = deferred();
  #cancel: CancelTimer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Watches these folders, without those inside them, and no others.
   * @param since wall-clock time in ms: later changes in new folders are reported too
   */
  follow(folders: Iterable<string>, since = Infinity): void {
    const folderSet = new Set(folders);
    for (const [folder, watcher] of this.#watchers) if (!folderSet.has(folder)) this.#drop(folder, watcher);
    for (const folder of folderSet) {
      if (this.#watchers.has(folder)) continue;
      this.#add(folder);
      this.#lookBack(folder, since);
    }
  }

  /** The paths that changed since the last call, once there are any and it has been quiet for a moment. */
  async changes(): Promise<ReadonlySet<string>> {
    await this.#arrived.promise;
    this.#arrived = deferred();
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** Ends a wait for changes, too. */
  close(): void {
    this.#cancel?.();
    this.follow([]);
    this.#arrived.resolve();
  }

  #add(folder: string): void {
    // One that is not there is asked for again with the next change.
    if (!existsSync(folder)) return;
    const watcher = watch(folder, (_, name) => {
      if (name !== null) this.#note(join(folder, name));
    });
    // A folder that is gone has nothing to tell any more.
    watcher.on('error', () => this.#drop(folder, watcher));
    this.#watchers.set(folder, watcher);
  }

  #lookBack(folder: string, since: number): void {
    if (since === Infinity || !existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      // Not when it was written: a copy may keep the time of what it is a copy of.
      const changedMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
      if (changedMs > since - tickMs) this.#note(path);
    }
  }

  #drop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(folder);
  }

  #note(path: string): void {
    this.#changed.add(path);
    this.#cancel?.();
    this.#cancel = this.#clock.setTimer(quietMs, () => this.#arrived.resolve());
  }
}
