// The texts of workflow files and of their tables as they were when runs were accepted, each under its own SHA-256. A
// run executes its snapshots, so that editing a file changes no accepted run.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { invariant } from '../base/invariant.ts';
import { dataUnreadable } from '../domain/errors.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { orUnreadable, readWhole } from './durable/read-bytes.ts';

/** What a text is, for people who look into the folder; whoever reads one asks for its hash alone. */
export type SnapshotKind = 'workflow' | 'table';

/** Tables of older runs are named as workflows are. */
const suffixes = { workflow: '.workflow.yaml', table: '.table.txt' } as const;
const allSuffixes = Object.values(suffixes);
const hashPattern = /^[0-9a-f]{64}$/;

export class SnapshotStore {
  readonly #parts: StoreParts;
  readonly #folder: string;
  /** Names of files that are known to be stored and whole; spares every further run of a workflow the look. */
  readonly #stored = new Set<string>();
  /** A text must not be found stored by one call while another is about to remove it. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: StoreParts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
  }

  /** Keeps a text, held against its hash unless it is known to be stored; durable when it resolves. Throws `store_degraded`. */
  async put(hash: string, text: string, kind: SnapshotKind): Promise<void> {
    return this.#inTurn(() => this.#put(hash + suffixes[kind], hash, text));
  }

  /** Undefined if it was never stored, or is stored no more. Throws `data_unreadable` if it is damaged. */
  async get(hash: string): Promise<string | undefined> {
    if (!hashPattern.test(hash)) return undefined;
    let damaged: string | undefined;
    for (const suffix of allSuffixes) {
      const bytes = await this.#read(hash + suffix);
      if (bytes === undefined) continue;
      if (hashOf(bytes) === hash) return bytes.toString();
      damaged ??= hash + suffix;
    }
    if (damaged !== undefined) throw dataUnreadable(`${labelOf(damaged)}: it is damaged`);
    return undefined;
  }

  /** Removes every other text that was put before this call. */
  keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(() => this.#keepOnly(hashes));
  }

  async #put(name: string, hash: string, text: string): Promise<void> {
    // Every run comes by here: to hash a large table for each takes longer than the run.
    if (this.#stored.has(name)) return;
    invariant(hashOf(text) === hash, 'a snapshot is stored under its own hash');
    const { fileSystem, files, health } = this.#parts;
    health.assertWritable();
    const found = await this.#read(name);
    if (found === undefined || hashOf(found) !== hash) {
      const path = join(this.#folder, name);
      await health.attempt(() => files.replace(path, Buffer.from(text), { keepPrevious: false }));
    } else {
      // It may have been written by a process that ended before it could sync the folder.
      await health.attempt(() => fileSystem.syncFolder(this.#folder));
    }
    this.#stored.add(name);
  }

  async #keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    const { fileSystem } = this.#parts;
    for (const name of await fileSystem.list(this.#folder)) {
      const suffix = allSuffixes.find((candidate) => name.endsWith(candidate));
      if (suffix === undefined || hashes.has(name.slice(0, -suffix.length))) continue;
      this.#stored.delete(name);
      await fileSystem.remove(join(this.#folder, name));
    }
  }

  #read(name: string): Promise<Buffer | undefined> {
    return orUnreadable(labelOf(name), () => readWhole(this.#parts.fileSystem, join(this.#folder, name)));
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    // The chain goes on whatever one turn came to; its caller hears of the failure.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

const labelOf = (name: string): string => `snapshots/${name}`;

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
