// The texts of workflow files and of their tables as they were when runs were accepted, each under its own SHA-256. A
// run executes its snapshots, so that editing a file changes no accepted run.
import { invariant } from '../../base/invariant.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { textHash } from '../../files/text-file.ts';
import type { StoreDatabase } from './store-database.ts';

type SnapshotKind = 'workflow' | 'table';

export class SnapshotStore {
  readonly #database: StoreDatabase;
  /** Texts that this process has stored or is storing; spares further runs of a workflow the write, and in a team the hash. */
  readonly #stored = new Map<string, Promise<void>>();

  constructor(database: StoreDatabase) {
    this.#database = database;
    database.onRunsRemoved = () => this.#stored.clear();
  }

  /** Keeps a text under its hash; durable when it resolves. Throws `disk_full`, `store_degraded`. */
  async put(hash: string, text: string, kind: SnapshotKind): Promise<void> {
    // Every run comes by here: to hash a large table for each takes longer than the run.
    let stored = this.#stored.get(hash);
    invariant(stored !== undefined || textHash(text) === hash, 'a snapshot is stored under its own hash');
    if (stored === undefined || this.#database.isShared) {
      stored = this.#database.write('putSnapshot', hash, kind, text);
      this.#stored.set(hash, stored);
      stored.catch(() => this.#stored.delete(hash));
    }
    await stored;
  }

  /** Undefined if it is not stored. Throws `data_unreadable` if it is damaged. */
  async get(hash: string): Promise<string | undefined> {
    const text = await this.#database.read('snapshot', hash);
    if (text !== undefined && textHash(text) !== hash)
      throw dataUnreadable(`the snapshot ${hash} of a workflow or table is damaged`);
    return text;
  }
}
