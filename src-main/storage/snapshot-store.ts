// The texts of workflow files as they were when runs of them were accepted, each under its own SHA-256. A run executes
// its snapshot, so that editing the file changes no accepted run.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { invariant } from '../base/invariant.ts';
import { dataUnreadable } from '../domain/errors.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { orUnreadable, readWhole } from './durable/read-bytes.ts';

const suffix = '.workflow.yaml';
const hashPattern = /^[0-9a-f]{64}$/;

export class SnapshotStore {
  readonly #parts: StoreParts;
  readonly #folder: string;
  /** Known to be stored and whole; spares every further run of a workflow the look. */
  readonly #stored = new Set<string>();
  /** A text must not be found stored by one call while another is about to remove it. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: StoreParts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
  }

  /** Keeps a text; durable when it resolves. Throws `store_degraded`. */
  async put(hash: string, text: string): Promise<void> {
    invariant(hashOf(text) === hash, 'a snapshot is stored under its own hash');
    return this.#inTurn(() => this.#put(hash, text));
  }

  /** Undefined if it was never stored, or is stored no more. Throws `data_unreadable` if it is damaged. */
  async get(hash: string): Promise<string | undefined> {
    if (!hashPattern.test(hash)) return undefined;
    const bytes = await orUnreadable(labelOf(hash), () =>
      readWhole(this.#parts.fileSystem, this.#pathOf(hash)),
    );
    if (bytes === undefined) return undefined;
    if (hashOf(bytes) !== hash) throw dataUnreadable(`${labelOf(hash)}: it is damaged`);
    return bytes.toString();
  }

  /** Removes every other text that was put before this call. */
  keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(() => this.#keepOnly(hashes));
  }

  async #put(hash: string, text: string): Promise<void> {
    if (this.#stored.has(hash)) return;
    const { fileSystem, files, health } = this.#parts;
    const path = this.#pathOf(hash);
    health.assertWritable();
    const found = await orUnreadable(labelOf(hash), () => readWhole(fileSystem, path));
    if (found === undefined || hashOf(found) !== hash) {
      await health.attempt(() => files.replace(path, Buffer.from(text), { keepPrevious: false }));
    } else {
      // It may have been written by a process that ended before it could sync the folder.
      await health.attempt(() => fileSystem.syncFolder(this.#folder));
    }
    this.#stored.add(hash);
  }

  async #keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    const { fileSystem } = this.#parts;
    for (const name of await fileSystem.list(this.#folder)) {
      const hash = name.slice(0, -suffix.length);
      if (!name.endsWith(suffix) || hashes.has(hash)) continue;
      this.#stored.delete(hash);
      await fileSystem.remove(join(this.#folder, name));
    }
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    // The chain goes on whatever one turn came to; its caller hears of the failure.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #pathOf(hash: string): string {
    invariant(hashPattern.test(hash), 'a snapshot is named by a SHA-256');
    return join(this.#folder, hash + suffix);
  }
}

const labelOf = (hash: string): string => `snapshots/${hash}${suffix}`;

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
