// Compares the results of two runs, row by row, in memory that grows by a few bytes a row. First the rows are matched. Then
// the outputs of the first run are read in chunks, and for each chunk those of the second run in their own order.
import { fieldOf, type Column } from '../../../domain/query/column.ts';
import { keyOfValue } from '../../../domain/query/column-statistics.ts';
import {
  changedFields,
  type ComparedSide,
  type ComparisonOptions,
  type FieldRule,
  type PairOutcome,
} from '../../../domain/query/compare-runs.ts';
import type { BatchReads } from '../batch-queries.ts';
import { ComparedPairs, type SideRows } from './compared-pairs.ts';
import type { Steps } from './continued-queries.ts';
import { largeLine, parseLine, StepMeter, type Line } from '../line-cursor.ts';
import { openTable } from './table-rows.ts';

type Matches = {
  /** Positions in the second run, from 1, in the order of the first run's rows; 0: it has no such row. */
  readonly positions: Uint32Array<ArrayBuffer>;
  readonly repeatedKeys: number;
};

/** Rows and characters of the first run's outputs that are in memory at a time. */
const maxChunkRows = 20_000;
const maxChunkCharacters = 32_000_000;

/** Rows that a comparison reads; a row counts each time. */
export const rowsToRead = (firstRows: number, secondRows: number, { matching }: ComparisonOptions): number =>
  2 * firstRows + (typeof matching === 'string' ? 0 : firstRows + secondRows);

/** Rows whose numbers and states are read between two steps. */
const rowsAtOnce = 5_000;

/** Compares the results of two sides. Yields the number of rows read so far, of `rowsToRead`. Throws `data_unreadable`. */
export function* compareSides(
  batches: BatchReads,
  [first, second]: readonly [ComparedSide, ComparedSide],
  options: ComparisonOptions,
): Steps<ComparedPairs> {
  const ended = new Map([...first, ...second].map((runId) => [runId, batches.extent(runId).lastResult]));
  const sides = [yield* readSide(batches, first, ended), yield* readSide(batches, second, ended)] as const;
  const rules = new Map(options.rules.map((rule) => [rule.name, rule]));
  const { directions = [] } = options;
  const pairs = new ComparedPairs(sides, {
    rules,
    directions,
    rowsEnded: [...first, ...second].reduce((sum, runId) => sum + (ended.get(runId) ?? 0), 0),
  });
  return yield* new RunComparer(sides, options, { rules, pairs }).compare();
}

/** @param ended position of the last result of each run: rows that get a result after it have none here */
function* readSide(
  batches: BatchReads,
  runIds: ComparedSide,
  ended: ReadonlyMap<string, number>,
): Steps<SideRows> {
  const table = yield* openTable(batches, runIds, ended);
  const { lastRow: rows } = table;
  const numbers = new Uint32Array(rows);
  const states: SideRows['states'][number][] = [];
  const readRow = table.rowReader();
  for (let position = 1; position <= rows; position += 1) {
    const row = readRow(position);
    numbers[position - 1] = row.number;
    states.push(row.position <= (ended.get(row.runId) ?? 0) ? row.state : undefined);
    if (position % rowsAtOnce === 0) yield 0;
  }
  return { table, isMerged: runIds.length > 1, rows, numbers, states };
}

type Comparing = { readonly rules: ReadonlyMap<string, FieldRule>; readonly pairs: ComparedPairs };

class RunComparer {
  readonly #options: ComparisonOptions;
  readonly #first: SideRows;
  readonly #second: SideRows;
  readonly #rules: ReadonlyMap<string, FieldRule>;
  readonly #pairs: ComparedPairs;
  #rowsRead = 0;

  constructor(
    [first, second]: readonly [SideRows, SideRows],
    options: ComparisonOptions,
    { rules, pairs }: Comparing,
  ) {
    this.#options = options;
    this.#first = first;
    this.#second = second;
    this.#rules = rules;
    this.#pairs = pairs;
  }

  *compare(): Steps<ComparedPairs> {
    const { positions, repeatedKeys } = yield* this.#match();
    this.#pairs.setMatches(this.#options.matching, positions, repeatedKeys);
    for (let from = 0; from < this.#first.rows;) from = yield* this.#compareChunk(positions, from);
    this.#pairs.finish();
    return this.#pairs;
  }

  *#match(): Steps<Matches> {
    const { matching } = this.#options;
    if (typeof matching !== 'string') return yield* this.#matchByColumn(matching);
    if (matching === 'number')
      return { positions: matchByNumber(this.#first.numbers, this.#second.numbers), repeatedKeys: 0 };
    const positions = Uint32Array.from({ length: this.#first.rows }, (_, index) =>
      index < this.#second.rows ? index + 1 : 0,
    );
    return { positions, repeatedKeys: 0 };
  }

  /** Matches rows by a value. Where several rows share it, the first is matched with the first one, and so on. */
  *#matchByColumn(column: Column): Steps<Matches> {
    const { rows } = this.#second;
    /** The first unmatched position of each value, and for each position the next one that has the same value. */
    const firstOf = new Map<string, number>();
    const lastOf = new Map<string, number>();
    const nextOf = new Uint32Array(rows + 1);
    let repeatedKeys = 0;
    for (const { key, position, isStep } of this.#keys(this.#second, column)) {
      this.#rowsRead += 1;
      if (isStep) yield this.#rowsRead;
      if (key === undefined) continue;
      const before = lastOf.get(key);
      if (before === undefined) firstOf.set(key, position);
      else {
        nextOf[before] = position;
        repeatedKeys += 1;
      }
      lastOf.set(key, position);
    }
    const seen = new Set<string>();
    const positions = new Uint32Array(this.#first.rows);
    for (const { key, position, isStep } of this.#keys(this.#first, column)) {
      this.#rowsRead += 1;
      if (isStep) yield this.#rowsRead;
      if (key === undefined) continue;
      if (seen.has(key)) repeatedKeys += 1;
      seen.add(key);
      const match = firstOf.get(key) ?? 0;
      positions[position - 1] = match;
      firstOf.set(key, nextOf[match] ?? 0);
    }
    return { positions, repeatedKeys };
  }

  /** The column's value in each row, as a short text; undefined where the row has none. `isStep`: it is time to look at the clock. */
  *#keys(
    { table, rows }: SideRows,
    { of, name }: Column,
  ): Generator<{ readonly key: string | undefined; readonly position: number; readonly isStep: boolean }> {
    const lineAt = table.lineReader(of);
    const meter = new StepMeter();
    for (let position = 1; position <= rows; position += 1) {
      const line = lineAt(position);
      const value = fieldOf(parseLine(line), name);
      yield { key: value === undefined ? undefined : keyOfValue(value), position, isStep: meter.isDue(line) };
    }
  }

  /** Compares rows of the first run from an index on, and returns the index after them. */
  *#compareChunk(positions: Uint32Array, from: number): Steps<number> {
    const lineAt = this.#first.table.lineReader('output');
    const open: { readonly index: number; readonly position: number; readonly line: Line }[] = [];
    const meter = new StepMeter();
    let index = from;
    for (let characters = 0; index < this.#first.rows; index += 1) {
      if (index - from >= maxChunkRows || characters >= maxChunkCharacters) break;
      const position = positions[index] ?? 0;
      const outcome = this.#outcomeOfStates(index, position);
      const line = outcome === undefined ? lineAt(index + 1) : undefined;
      this.#rowsRead += outcome === undefined ? 1 : 2;
      if (meter.isDue(line)) yield this.#rowsRead;
      if (outcome === undefined) open.push({ index, position, line });
      else this.#pairs.setOutcome(index, outcome);
      characters += typeof line === 'string' ? line.length : 0;
    }
    open.sort((one, other) => one.position - other.position);
    const otherAt = this.#second.table.lineReader('output');
    for (const { index: at, position, line } of open) {
      this.#rowsRead += 1;
      if (meter.isDue(line)) yield this.#rowsRead;
      this.#compareLines(at, line, otherAt(position));
    }
    return index;
  }

  /** Undefined for two rows that have outputs to compare. */
  #outcomeOfStates(index: number, position: number): PairOutcome | undefined {
    if (position === 0) return 'onlyInFirst';
    const before = this.#first.states[index];
    const after = this.#second.states[position - 1];
    if (before === 'done' && after === 'done') return undefined;
    if (before === 'failed' && after === 'failed') return 'bothFailed';
    if (before === 'done' && after === 'failed') return 'newlyFailing';
    return before === 'failed' && after === 'done' ? 'fixed' : 'notCompared';
  }

  #compareLines(index: number, before: Line, after: Line): void {
    if (before === largeLine || after === largeLine) this.#pairs.setOutcome(index, 'notCompared');
    else if (before === after) this.#pairs.setOutcome(index, 'same');
    else {
      const fields = changedFields(parseLine(before) ?? {}, parseLine(after) ?? {}, this.#rules);
      if (fields.length === 0) this.#pairs.setOutcome(index, 'same');
      else this.#pairs.setChanged(index, fields);
    }
  }
}

/** Both lists of numbers rise. */
function matchByNumber(first: Uint32Array, second: Uint32Array): Uint32Array<ArrayBuffer> {
  const positions = new Uint32Array(first.length);
  let other = 0;
  for (const [index, number] of first.entries()) {
    while ((second[other] ?? Infinity) < number) other += 1;
    if (second[other] === number) positions[index] = other + 1;
  }
  return positions;
}
