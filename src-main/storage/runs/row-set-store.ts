// Named sets of rows: their records, and their rows as lines of JSON. Who calls: RowSetService.
import { randomUUID } from 'node:crypto';
import { rowSetNotFound } from '../../domain/workflow-errors.ts';
import { rowSetSchema, type RowSet } from '../../domain/rows/row-set.ts';
import { decodeRowNumbers, type RowLines } from '../../domain/run/row-numbers.ts';
import type { FreeSpace } from '../free-space.ts';
import { readRowBatches } from './read-batches.ts';
import { RowWriter } from './row-writer.ts';
import type { StoreDatabase } from './store-database.ts';

/** Free space that row sets leave for runs, in bytes. */
const minFreeBytes = 200_000_000;

type NewRowSet = Pick<RowSet, 'workflowId' | 'name' | 'rows' | 'savedAt' | 'draft' | 'sampleOf'>;

/** Writes the rows of a set, which exists after `commit`. */
type RowSetWriter = {
  /** Writes rows as lines of JSON; a call may end within a line. One call at a time. Throws `disk_full`, `store_degraded`. */
  write(lines: Uint8Array): Promise<void>;
  /** The numbers of all rows, before the first one is written; without them rows go by their positions. */
  setNumbers(numbers: readonly number[]): void;
  /** Makes the set durable and removes the replaced set from the list, in one transaction. Throws as `write`. */
  commit(set: NewRowSet, replaced?: RowSet): Promise<RowSet>;
  /** Removes the rows; does nothing after a commit. */
  abandon(): Promise<void>;
};

type RowSetStoreDeps = {
  readonly database: StoreDatabase;
  readonly free: Pick<FreeSpace, 'assertFree'>;
  /** Reports damage to the user. */
  readonly report: (notice: string) => void;
};

export class RowSetStore {
  readonly #database: StoreDatabase;
  readonly #free: Pick<FreeSpace, 'assertFree'>;

  private constructor({ database, free }: RowSetStoreDeps) {
    this.#database = database;
    this.#free = free;
  }

  /** Opens the store. Sets that were removed before this start are gone, or in a team those that were removed long ago. */
  static async open(deps: RowSetStoreDeps): Promise<RowSetStore> {
    for (const set of await deps.database.read('rowSets'))
      if (typeof set === 'string') deps.report(`The row set ${set} is damaged`);
    return new RowSetStore(deps);
  }

  /** All sets, also removed ones. They are read each time: other servers of a team change them, too. */
  async list(): Promise<readonly RowSet[]> {
    return (await this.#database.read('rowSets')).filter((set) => typeof set !== 'string');
  }

  async get(id: string): Promise<RowSet | undefined> {
    return (await this.list()).find((set) => set.id === id);
  }

  /** Opens a writer for the rows of a new set. Throws `disk_full`, `store_degraded`. */
  async openWriter(expectedBytes = 0): Promise<RowSetWriter> {
    this.#database.assertWritable();
    const needed = minFreeBytes + expectedBytes;
    await this.#free.assertFree(needed);
    const rows = await RowWriter.open(this.#database);
    return {
      write: (bytes) => rows.append({ bytes }),
      setNumbers: (numbers) => rows.addNumbers(numbers),
      commit: async (metadata, replaced) => {
        const removed = replaced && { ...replaced, removed: true as const, removedAt: metadata.savedAt };
        return rows.commit(async (acceptance) => {
          const made = rowSetSchema.parse({ version: 1, id: randomUUID(), ...metadata, bytes: rows.bytes });
          await this.#database.write('keepRowSet', acceptance, made, removed);
          return made;
        });
      },
      abandon: () => rows.abandon(),
    };
  }

  /** Replaces the record of a set durably. Throws `row_set_not_found`, `disk_full`, `store_degraded`. */
  async save(set: RowSet): Promise<void> {
    if ((await this.get(set.id)) === undefined) throw rowSetNotFound();
    await this.#database.write('saveRowSet', set);
  }

  /** Removes a set for good. Throws `disk_full`, `store_degraded`. */
  async drop(id: string): Promise<void> {
    await this.#database.dropRowSet(id);
  }

  /** The set's rows, in order. Throws `row_set_not_found`, `data_unreadable`. */
  async *readRows(id: string): AsyncGenerator<RowLines> {
    const set = await this.get(id);
    if (set === undefined) throw rowSetNotFound();
    const whole = { fromRow: 1, toRow: set.rows, isWhole: true };
    for await (const { firstRow, lines, numbers } of readRowBatches(this.#database, { setId: id }, whole))
      yield {
        firstRow,
        bytes: lines,
        ...(numbers === undefined ? {} : { numbers: decodeRowNumbers(numbers) }),
      };
  }
}
