// Tells of changed files in folders, a moment after the last change: an editor that saves makes several at once.
import { existsSync, readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';

/** Longer than an editor takes to write, replace and rename; shorter than a person waits. */
const quietMs = 100;
/** A file's times come from a clock that is that far behind at most, in ms: it ticks a hundred times a second. */
const tickMs = 10;

export class FolderWatch {
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
