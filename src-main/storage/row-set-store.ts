// Named sets of rows, a folder each: what is known of it, and its rows as lines of JSON. A set is written beside its
// place and renamed into it, so that it is there whole or not at all. Who calls: RowSetService.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { dataUnreadable, rowSetNotFound } from '../domain/errors.ts';
import { diskFull } from '../domain/store-errors.ts';
import { rowSetSchema, type RowSet } from '../domain/rows/row-set.ts';
import { countLines, newline } from '../domain/rows/line-bytes.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import { JsonFile } from './durable/json-file.ts';
import { asUnreadable, openIfThere, orUnreadable, release } from './durable/read-bytes.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { RowSetDraft, rowSetRecordName } from './rows/row-set-draft.ts';
import { RowsCheck } from './rows/rows-check.ts';
import { rowsName } from './rows/run-files.ts';
import { wholeLines } from './rows/whole-lines.ts';

export type { RowSetDraft } from './rows/row-set-draft.ts';

/** No set's id begins with a dot. */
const draftPrefix = '.draft-';
/** Room that is left for runs. */
const leastFreeBytes = 200_000_000;
const chunkBytes = 256 * 1024;

export class RowSetStore {
  readonly #parts: StoreParts;
  readonly #folder: string;
  readonly #sets = new Map<string, RowSet>();

  private constructor(parts: StoreParts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
  }

  /** Clears away what was removed, or had not wholly arrived. A set that cannot be read is told of and left alone. */
  static async open(parts: StoreParts, folder: string): Promise<RowSetStore> {
    const store = new RowSetStore(parts, folder);
    for (const name of await parts.fileSystem.list(folder)) await store.#take(name);
    await store.#clear();
    return store;
  }

  /** All of them, removed ones too. */
  list(): readonly RowSet[] {
    return [...this.#sets.values()];
  }

  get(id: string): RowSet | undefined {
    return this.#sets.get(id);
  }

  /** A place for rows to arrive in. Throws `disk_full`, `store_degraded`. */
  async begin(expectedBytes = 0): Promise<RowSetDraft> {
    const { health, fileSystem } = this.#parts;
    const free = await health.attempt(() => fileSystem.freeBytes(this.#folder));
    const needed = leastFreeBytes + expectedBytes;
    if (free < needed) throw diskFull(free, needed);
    const id = randomUUID();
    return RowSetDraft.begin(this.#parts, {
      id,
      from: join(this.#folder, draftPrefix + id),
      to: join(this.#folder, id),
      onCommit: (set) => this.#add(set),
    });
  }

  /** Replaces what is known of a set; durable when it resolves. Throws `disk_full`, `store_degraded`. */
  async save(set: RowSet): Promise<void> {
    if (!this.#sets.has(set.id)) throw rowSetNotFound();
    await this.#recordOf(set.id).write(set);
    this.#sets.set(set.id, set);
  }

  /**
   * The set's rows, in order. Throws `row_set_not_found`, `data_unreadable`; for rows of another CRC before the last ones
   * are handed out.
   */
  async *readRows(id: string): AsyncGenerator<RowLines> {
    const set = this.#sets.get(id);
    if (set === undefined) throw rowSetNotFound();
    const label = `${labelOf(id)}/${rowsName}`;
    const path = join(this.#folder, id, rowsName);
    const file = await orUnreadable(label, () => openIfThere(this.#parts.fileSystem, path));
    if (file === undefined) throw dataUnreadable(`${label} is missing`);
    try {
      const size = await file.size();
      const check = new RowsCheck({ label, size, crc: set.rowsCrc });
      let firstRow = 1;
      for await (const bytes of wholeLines(file, { from: 0, to: size, chunkBytes })) {
        if (bytes.at(-1) !== newline) throw dataUnreadable(`${label}: it ends inside a row`);
        check.take(bytes);
        yield { firstRow, bytes };
        firstRow += countLines(bytes);
      }
      check.end();
    } catch (error) {
      throw asUnreadable(label, error);
    } finally {
      await release(file);
    }
  }

  async #take(name: string): Promise<void> {
    const { fileSystem, report } = this.#parts;
    const path = join(this.#folder, name);
    if (name.startsWith(draftPrefix)) return fileSystem.remove(path);
    try {
      const set = await this.#recordOf(name).read();
      if (set === null || set.id !== name) return report(`${labelOf(name)}/${rowSetRecordName} is missing`);
      this.#sets.set(set.id, set);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(error.message);
    }
  }

  /** The set that it replaces goes with the same step, of which its record tells the next start. */
  #add(set: RowSet): void {
    const before = set.replaces === undefined ? undefined : this.#sets.get(set.replaces);
    this.#sets.set(set.id, set);
    if (before !== undefined) this.#sets.set(before.id, { ...before, removed: true });
  }

  /** Takes away what was removed or replaced: the oldest first, as a later one may be all that tells of it. */
  async #clear(): Promise<void> {
    const replaced = new Set(this.list().map(({ replaces }) => replaces));
    const gone = this.list().filter(({ id, removed }) => removed === true || replaced.has(id));
    for (const { id } of gone.sort((one, other) => (one.savedAt < other.savedAt ? -1 : 1))) {
      await this.#parts.fileSystem.remove(join(this.#folder, id));
      this.#sets.delete(id);
    }
  }

  #recordOf(id: string): JsonFile<RowSet> {
    const path = join(this.#folder, id, rowSetRecordName);
    return new JsonFile(this.#parts, {
      path,
      label: `${labelOf(id)}/${rowSetRecordName}`,
      schema: rowSetSchema,
      refusesWhenFull: true,
    });
  }
}

const labelOf = (id: string): string => `row-sets/${id}`;
