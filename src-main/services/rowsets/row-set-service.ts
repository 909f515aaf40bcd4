// Stores, lists, renames, removes and restores named row sets of workflows, and keeps one draft per workflow. Who calls:
// the control API.
import { isoTime, type Clock } from '../../base/clock.ts';
import { Mutex } from '../../base/mutex.ts';
import { rowSetNamed, rowSetNotFound, tooManyRowSets } from '../../domain/workflow-errors.ts';
import { maxDraftAgeMs, maxRowSets, type RowSet } from '../../domain/rows/row-set.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { RowSetStore } from '../../storage/runs/row-set-store.ts';

type Writer = Awaited<ReturnType<RowSetStore['openWriter']>>;

type RowSetRequest = {
  readonly workflowId: string;
  readonly name: string;
  /** True if a set of that name gives way. */
  readonly replaces: boolean;
  readonly expectedBytes?: number | undefined;
};

/** Hands all rows over, and resolves to how many they were. */
export type ReceiveRows = (writer: Pick<Writer, 'write' | 'setNumbers'>) => Promise<number>;

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
  async list(workflowId: string): Promise<readonly RowSet[]> {
    return (await this.#store.list())
      .filter((set) => set.workflowId === workflowId && isListed(set))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Stores rows under the name; after a failure, nothing is stored.
   * Throws `invalid_input` for a name that is taken, `disk_full`, `store_degraded`.
   */
  async save(request: RowSetRequest, receive: ReceiveRows): Promise<RowSet> {
    const { workflowId, name, expectedBytes } = request;
    await this.#assertRoom(request);
    return this.#receive(expectedBytes, receive, async (writer, rows) => {
      // Another may have come while the rows arrived.
      const replaced = await this.#assertRoom(request);
      return writer.commit({ workflowId, name, rows, savedAt: isoTime(this.#clock) }, replaced);
    });
  }

  /**
   * Takes rows and keeps them as the workflow's draft, in place of an earlier one.
   * Throws `disk_full`, `store_degraded`.
   */
  async saveDraft(
    { workflowId, expectedBytes }: Pick<RowSetRequest, 'workflowId' | 'expectedBytes'>,
    receive: ReceiveRows,
  ): Promise<RowSet> {
    return this.#receive(expectedBytes, receive, async (writer, rows) => {
      const draft = { workflowId, name: '', rows, savedAt: isoTime(this.#clock), draft: true as const };
      const saved = await writer.commit(draft);
      await this.#dropDrafts((set) => set.workflowId === workflowId && set.id !== saved.id);
      return saved;
    });
  }

  /** Takes the rows that a run is to sample. Throws `disk_full`, `store_degraded`. */
  saveSample(workflowId: string, runId: string, receive: ReceiveRows): Promise<RowSet> {
    return this.#receive(undefined, receive, (writer, rows) =>
      writer.commit({ workflowId, name: '', rows, savedAt: isoTime(this.#clock), sampleOf: runId }),
    );
  }

  /** All rows of a sample, with their numbers. Throws `row_set_not_found`, `data_unreadable`. */
  readSample(id: string): AsyncIterable<RowLines> {
    return this.#store.readRows(id);
  }

  /** Removes rows whose sample was not accepted. Throws `disk_full`, `store_degraded`. */
  dropSample(id: string): Promise<void> {
    return this.#store.drop(id);
  }

  /** The workflow's draft. Drafts that are too old are removed first. */
  draft(workflowId: string): Promise<RowSet | undefined> {
    return this.#mutex.run(async () => {
      const expired = this.#clock.now() - maxDraftAgeMs;
      // On a full disk, or in a store that takes no changes, they go later.
      await this.#dropDrafts(({ savedAt }) => Date.parse(savedAt) < expired).catch(() => undefined);
      return (await this.#store.list())
        .filter((set) => set.draft === true && set.workflowId === workflowId)
        .findLast(({ savedAt }) => Date.parse(savedAt) >= expired);
    });
  }

  /** Removes that draft; does nothing if another has taken its place. Throws `disk_full`, `store_degraded`. */
  dropDraft(id: string): Promise<void> {
    return this.#mutex.run(() => this.#dropDrafts((set) => set.id === id));
  }

  /** Throws `row_set_not_found`, `invalid_input` for a name that is taken. */
  rename(id: string, name: string): Promise<RowSet> {
    return this.#mutex.run(async () => {
      const set = await this.#find(id);
      const other = await this.#named(set.workflowId, name);
      if (other !== undefined && other.id !== id) throw rowSetNamed(name);
      return this.#save({ ...set, name });
    });
  }

  /** Takes it out of the list; until the next start, or in a team for a day, it can be brought back. Throws `row_set_not_found`. */
  remove(id: string): Promise<RowSet> {
    return this.#mutex.run(async () => {
      const set = await this.#find(id);
      return this.#save({ ...set, removed: true, removedAt: isoTime(this.#clock) });
    });
  }

  /** Throws `row_set_not_found`, `invalid_input` when its name was taken meanwhile. */
  restore(id: string): Promise<RowSet> {
    return this.#mutex.run(async () => {
      const set = await this.#store.get(id);
      if (set === undefined) throw rowSetNotFound();
      const other = await this.#named(set.workflowId, set.name);
      if (other !== undefined && other.id !== id) throw rowSetNamed(set.name);
      const { removed, removedAt, ...restored } = set;
      if (removed === undefined && removedAt === undefined) return set;
      return this.#save(restored);
    });
  }

  /** Throws `row_set_not_found`, `data_unreadable`. */
  async readRows(id: string): Promise<AsyncIterable<RowLines>> {
    const set = await this.#store.get(id);
    if (set === undefined || set.removed === true) throw rowSetNotFound();
    return this.#store.readRows(id);
  }

  /** Leaves nothing behind if the rows do not arrive or cannot be committed. */
  async #receive(
    expectedBytes: number | undefined,
    receive: ReceiveRows,
    commit: (writer: Writer, rows: number) => Promise<RowSet>,
  ): Promise<RowSet> {
    const writer = await this.#store.openWriter(expectedBytes);
    try {
      const rows = await receive(writer);
      return await this.#mutex.run(() => commit(writer, rows));
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  async #dropDrafts(isMeant: (draft: RowSet) => boolean): Promise<void> {
    for (const set of await this.#store.list())
      if (set.draft === true && isMeant(set)) await this.#store.drop(set.id);
  }

  /** The set that gives way. */
  async #assertRoom({ workflowId, name, replaces }: RowSetRequest): Promise<RowSet | undefined> {
    const named = await this.#named(workflowId, name);
    if (named !== undefined && !replaces) throw rowSetNamed(name);
    if (named === undefined && (await this.list(workflowId)).length >= maxRowSets)
      throw tooManyRowSets(maxRowSets);
    return named;
  }

  async #named(workflowId: string, name: string): Promise<RowSet | undefined> {
    return (await this.list(workflowId)).find((set) => set.name === name);
  }

  async #find(id: string): Promise<RowSet> {
    const set = await this.#store.get(id);
    if (set === undefined || !isListed(set)) throw rowSetNotFound();
    return set;
  }

  async #save(set: RowSet): Promise<RowSet> {
    await this.#store.save(set);
    return set;
  }
}

/** True if users see the set; drafts, removed sets and rows of samples they do not. */
const isListed = ({ removed, draft, sampleOf }: RowSet): boolean =>
  removed !== true && draft !== true && sampleOf === undefined;
