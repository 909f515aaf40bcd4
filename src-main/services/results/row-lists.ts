// The rows of a run as a table and as a minimap: any slice of all rows or of the filtered ones, without reading the
// others. Who calls: TraceService, for the control API.
import { countBelow, RowIndex, type MinimapPiece } from '../../domain/run/row-index.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { cellsOfLine, failureOfLine, hasSkippedNode } from '../../domain/results/scan-trace-line.ts';
import {
  type RowState,
  type RowChoice,
  type RowFilter,
  type RowLocation,
  rowFilters,
} from '../../domain/run/row-state.ts';
import type { NodeCell } from '../../domain/results/node-cell.ts';
import type { Run } from '../../domain/run/run.ts';
import type { Plan } from '../../executor/plan.ts';
import type { RunReading } from '../ports.ts';
import type { RowLabel } from '../../domain/rows/row-label.ts';
import { readLabels, readValueTexts } from './row-texts.ts';
import { KeyedMutex } from '../../base/mutex.ts';
import { LruMap } from '../../base/lru-map.ts';

export type RowOverview = RowState & {
  readonly row: number;
  /** By index in the plan; absent: no trace is kept of the row. */
  readonly nodes?: readonly NodeCell[];
  /** Only for a failed row without a trace. */
  readonly failure?: RowFailure;
  readonly label?: RowLabel;
  /** By index in the plan, if they were requested; undefined: the node gave none, or its value is not kept. */
  readonly values?: readonly (string | undefined)[];
};

/** A part of a list. With `valuesOf`, the values of that plan's nodes are read too. */
export type SliceRequest = { readonly from: number; readonly count: number; readonly valuesOf?: Plan };

export type RowsInAll = {
  readonly rows: number;
  readonly counts: Readonly<Record<RowFilter | 'unfinished', number>>;
  readonly slowMs: number | undefined;
  readonly rowsPerPiece: number;
  readonly minimap: readonly MinimapPiece[];
};

export class RowLists {
  readonly #store: RunReading;
  readonly #indexes: RowIndexes;

  constructor(store: RunReading) {
    this.#store = store;
    this.#indexes = new RowIndexes(store);
  }

  /**
   * Rows from place `from` (from 1) of the list on, `count` at most. Throws `data_unreadable`.
   * @returns `total`: rows that fit, of those that are committed
   */
  async slice(
    runId: string,
    choice: RowChoice,
    request: SliceRequest,
  ): Promise<{ readonly total: number; readonly rows: readonly RowOverview[] }> {
    const index = await this.#indexes.catchUp(runId);
    const picked = pickedBy(index, choice);
    if (picked === undefined) return { total: index.rows, rows: await this.#range(runId, request) };
    const start = request.from - 1;
    const rows: RowOverview[] = [];
    for (const [from, count] of stretches(picked.subarray(start, start + request.count)))
      rows.push(...(await this.#range(runId, { ...request, from, count })));
    return { total: picked.length, rows };
  }

  /** All rows at once, the strip in so many pieces at most. */
  async inAll({ runId, rows }: Run, pieces: number): Promise<RowsInAll> {
    const index = await this.#indexes.catchUp(runId);
    const { slowMs } = index;
    const rowsPerPiece = Math.max(1, Math.ceil(rows / pieces));
    const counted = rowFilters.map((only) => [only, index.positions(only, slowMs).length] as const);
    return {
      rows: index.rows,
      counts: { ...(Object.fromEntries(counted) as Record<RowFilter, number>), unfinished: index.unfinished },
      slowMs,
      rowsPerPiece,
      minimap: index.minimap(rows, rowsPerPiece),
    };
  }

  /** The place in the list of the row at that position, else of the next one, else of the last; undefined where there is none. */
  async locate(runId: string, choice: RowChoice, position: number): Promise<RowLocation | undefined> {
    const rowIndex = await this.#indexes.catchUp(runId);
    const picked = pickedBy(rowIndex, choice);
    const total = picked?.length ?? rowIndex.rows;
    if (total === 0) return undefined;
    const index = Math.min(total, picked === undefined ? position : countBelow(picked, position) + 1);
    const found = picked?.[index - 1] ?? index;
    const [row = found] = await this.#store.readRowNumbers(runId, found, 1);
    return { index, row, isThere: found === position };
  }

  async #range(runId: string, request: SliceRequest): Promise<readonly RowOverview[]> {
    const { from, valuesOf: plan } = request;
    const states = await this.#store.readStates(runId, from, request.count);
    const numbers = await this.#store.readRowNumbers(runId, from, states.length);
    const stretch = { from, count: states.length };
    const numberAt = (at: number): number => numbers[at] ?? from + at;
    const lines = new Map<number, string>();
    for await (const { row, line } of this.#store.readTraces(runId, numbers[0] ?? 1, numbers.at(-1) ?? 0))
      lines.set(row, line);
    const labels = await readLabels(this.#store, runId, stretch);
    const traces = new Map(states.flatMap((_, at) => tracedAt(at, lines.get(numberAt(at)))));
    const values =
      plan === undefined ? undefined : await readValueTexts(this.#store, runId, { ...stretch, plan, traces });
    return states.map((state, at) => ({
      ...state,
      row: numberAt(at),
      ...knownOf(traces.get(at)),
      ...(labels[at] === undefined ? {} : { label: labels[at] }),
      ...(values === undefined ? {} : { values: values[at] ?? [] }),
    }));
  }
}

const tracedAt = (at: number, line: string | undefined): readonly (readonly [number, string])[] =>
  line === undefined ? [] : [[at, line]];

function knownOf(line: string | undefined): Pick<RowOverview, 'nodes' | 'failure'> {
  if (line === undefined) return {};
  const nodes = cellsOfLine(line);
  if (nodes !== undefined) return { nodes };
  const failure = failureOfLine(line);
  return failure === undefined ? {} : { failure };
}

/** Undefined for all rows. */
const pickedBy = (index: RowIndex, { only, slowMs }: RowChoice): Uint32Array | undefined =>
  only === undefined ? undefined : index.positions(only, slowMs ?? index.slowMs);

/** Rising numbers as stretches without a gap. */
function stretches(rising: Uint32Array): readonly (readonly [first: number, length: number])[] {
  const found: [number, number][] = [];
  for (const number of rising) {
    const last = found.at(-1);
    if (last !== undefined && last[0] + last[1] === number) last[1] += 1;
    else found.push([number, 1]);
  }
  return found;
}

// Row indexes of the runs that users look at. Each is read once; after that, only newly committed rows are read.

type Store = Pick<RunReading, 'readStates' | 'readRowNumbers' | 'readTraces' | 'readStatistics'>;

/** Runs that people have open at once; a run of a million rows takes 5 MB. */
const maxRuns = 8;
const rowsAtOnce = 20_000;

type Entry = {
  readonly index: RowIndex;
  /** Rows whose traces have been looked through for skipped nodes. */
  traced: number;
};

class RowIndexes {
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
