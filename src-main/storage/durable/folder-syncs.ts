import type { FileSystem } from '../file-system.ts';

type Syncing = { readonly underWay: Promise<void>; next: Promise<void> | undefined };

/** Syncs folders for many at once: whoever asks while a sync is under way shares the one after it with the others. */
export class FolderSyncs {
  readonly #fileSystem: Pick<FileSystem, 'syncFolder'>;
  readonly #byPath = new Map<string, Syncing>();

  constructor(fileSystem: Pick<FileSystem, 'syncFolder'>) {
    this.#fileSystem = fileSystem;
  }

  /** Makes what was done in the folder before this call survive a power cut. Rejects as the sync does. */
  sync(path: string): Promise<void> {
    const syncing = this.#byPath.get(path);
    if (syncing === undefined) return this.#begin(path);
    // What is under way may have looked at the folder already. If it fails, what it failed at may be theirs, and the disk
    // tells of that once.
    return (syncing.next ??= syncing.underWay.then(() => this.#begin(path)));
  }

  #begin(path: string): Promise<void> {
    const underWay = this.#fileSystem.syncFolder(path);
    const syncing: Syncing = { underWay, next: undefined };
    this.#byPath.set(path, syncing);
    underWay.then(
      () => void (syncing.next ?? this.#byPath.delete(path)),
      () => void this.#byPath.delete(path),
    );
    return underWay;
  }
}
