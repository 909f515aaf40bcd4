// Row indexes of the runs that users look at. Each is read once; after that, only newly committed rows are read.
// Who calls: TraceService.
import { KeyedMutex } from '../../base/mutex.ts';
import { LruMap } from '../../base/lru-map.ts';
import { countBelow, RowIndex } from '../../domain/run/row-index.ts';
import { hasSkippedNode } from '../../domain/results/scan-trace-line.ts';
import type { RunReading } from '../ports.ts';

type Store = Pick<RunReading, 'readStates' | 'readRowNumbers' | 'readTraces' | 'readStatistics'>;

/** Runs that people have open at once; a run of a million rows takes 5 MB. */
const maxRuns = 8;
const rowsAtOnce = 20_000;

type Entry = {
  readonly index: RowIndex;
  /** Rows whose traces have been looked through for skipped nodes. */
  traced: number;
};

export class RowIndexes {
  readonly #store: Store;
  readonly #entries = new LruMap<string, Entry>({ maxEntries: maxRuns });
  readonly #mutex = new KeyedMutex<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The index of a run, as of the last commit. Throws `data_unreadable`. */
  async catchUp(runId: string): Promise<RowIndex> {
    const entry = this.#entries.get(runId) ?? { index: new RowIndex(), traced: 0 };
    this.#entries.set(runId, entry);
    await this.#mutex.run(runId, () => this.#readNewRows(runId, entry));
    return entry.index;
  }

  async #readNewRows(runId: string, entry: Entry): Promise<void> {
    const { index } = entry;
    for (;;) {
      const states = await this.#store.readStates(runId, index.rows + 1, rowsAtOnce);
      if (states.length > 0) index.add(states);
      if (states.length < rowsAtOnce) break;
    }
    if (entry.traced < index.rows) await this.#markSkipped(runId, entry);
  }

  async #markSkipped(runId: string, entry: Entry): Promise<void> {
    const first = entry.traced + 1;
    const rows = entry.index.rows - entry.traced;
    const statistics = await this.#store.readStatistics(runId);
    if (statistics?.nodes.some(({ skipped }) => skipped > 0) !== false) {
      const numbers = await this.#store.readRowNumbers(runId, first, rows);
      const [from = 1] = numbers;
      for await (const { row, line } of this.#store.readTraces(runId, from, numbers.at(-1) ?? 0)) {
        if (hasSkippedNode(line)) entry.index.markSkipped(first + countBelow(numbers, row));
      }
    }
    entry.traced = entry.index.rows;
  }
}
