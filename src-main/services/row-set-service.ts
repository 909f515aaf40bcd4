// Stores, lists, renames, removes and restores named row sets of workflows. Who calls: the control API.
import { isoTime, type Clock } from '../base/clock.ts';
import { Mutex } from '../base/mutex.ts';
import { rowSetNamed, rowSetNotFound, tooManyRowSets } from '../domain/errors.ts';
import { maxRowSets, type RowSet } from '../domain/rows/row-set.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import type { RowSetWriter, RowSetStore } from '../storage/row-set-store.ts';

export type RowSetRequest = {
  readonly workflowId: string;
  readonly name: string;
  /** Whether a set of that name gives way. */
  readonly replaces: boolean;
  readonly expectedBytes?: number | undefined;
};

export class RowSetService {
  readonly #store: RowSetStore;
  readonly #clock: Clock;
  /** One change at a time, each on what the one before it left. */
  readonly #mutex = new Mutex();

  constructor({ store, clock }: { readonly store: RowSetStore; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** By name. */
  list(workflowId: string): readonly RowSet[] {
    return this.#store
      .list()
      .filter((set) => set.workflowId === workflowId && set.removed !== true)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Takes rows and keeps them under the name; leaves nothing behind when that fails.
   * @param receive hands all rows over, and resolves to how many they were
   * Throws `invalid_input` for a name that is taken, `disk_full`, `store_degraded`.
   */
  async save(
    request: RowSetRequest,
    receive: (writer: Pick<RowSetWriter, 'write'>) => Promise<number>,
  ): Promise<RowSet> {
    const { workflowId, name, expectedBytes } = request;
    this.#assertRoom(request);
    const writer = await this.#store.openWriter(expectedBytes);
    try {
      const rows = await receive(writer);
      return await this.#mutex.run(() => {
        // Another may have come while the rows arrived.
        const replaced = this.#assertRoom(request);
        return writer.commit({ workflowId, name, rows, savedAt: isoTime(this.#clock) }, replaced);
      });
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** Throws `row_set_not_found`, `invalid_input` for a name that is taken. */
  rename(id: string, name: string): Promise<RowSet> {
    return this.#mutex.run(() => {
      const set = this.#find(id);
      const other = this.#named(set.workflowId, name);
      if (other !== undefined && other.id !== id) throw rowSetNamed(name);
      return this.#save({ ...set, name });
    });
  }

  /** Takes it out of the list; until the next start it can be brought back. Throws `row_set_not_found`. */
  remove(id: string): Promise<RowSet> {
    return this.#mutex.run(() => this.#save({ ...this.#find(id), removed: true }));
  }

  /** Throws `row_set_not_found`, `invalid_input` when its name was taken meanwhile. */
  restore(id: string): Promise<RowSet> {
    return this.#mutex.run(async () => {
      const set = this.#store.get(id);
      if (set === undefined) throw rowSetNotFound();
      const other = this.#named(set.workflowId, set.name);
      if (other !== undefined && other.id !== id) throw rowSetNamed(set.name);
      const { removed, ...kept } = set;
      if (removed === undefined) return set;
      return this.#save(kept);
    });
  }

  /** Throws `row_set_not_found`, `data_unreadable`. */
  readRows(id: string): AsyncIterable<RowLines> {
    return this.#store.readRows(this.#find(id).id);
  }

  /** The set that gives way. */
  #assertRoom({ workflowId, name, replaces }: RowSetRequest): RowSet | undefined {
    const named = this.#named(workflowId, name);
    if (named !== undefined && !replaces) throw rowSetNamed(name);
    if (named === undefined && this.list(workflowId).length >= maxRowSets) throw tooManyRowSets(maxRowSets);
    return named;
  }

  #named(workflowId: string, name: string): RowSet | undefined {
    return this.list(workflowId).find((set) => set.name === name);
  }

  #find(id: string): RowSet {
    const set = this.#store.get(id);
    if (set === undefined || set.removed === true) throw rowSetNotFound();
    return set;
  }

  async #save(set: RowSet): Promise<RowSet> {
    await this.#store.save(set);
    return set;
  }
}
