// Compares the results of two runs, row by row, in memory that grows by a few bytes a row. First the rows are matched. Then
// the outputs of the first run are read in chunks, and for each chunk those of the second run in their own order.
import type { Column } from '../../domain/query/column.ts';
import { keyOfValue } from '../../domain/query/column-statistics.ts';
import {
  changedFields,
  pairOutcomes,
  type ChangedField,
  type ComparisonOptions,
  type DifferingRow,
  type FieldRule,
  type PairOutcome,
  type RunComparison,
} from '../../domain/query/compare-runs.ts';
import { decodeRowNumbers } from '../../domain/run/row-numbers.ts';
import { readRowState, rowStateBytes, type RowState } from '../../domain/run/row-state.ts';
import type { BatchQueries } from './batch-queries.ts';
import { fieldOf, largeLine, LineCursor, parseLine, StepMeter, type Line } from './line-cursor.ts';

/** A run before its outputs are read. Arrays begin with the first row, at index 0. */
type ComparedRun = {
  readonly runId: string;
  readonly rows: number;
  readonly numbers: Uint32Array;
  readonly states: readonly RowState['state'][];
};

type Matches = {
  /** Positions in the second run, from 1, in the order of the first run's rows; 0: it has no such row. */
  readonly positions: Uint32Array;
  readonly repeatedKeys: number;
};

/** Rows and characters of the first run's outputs that are in memory at a time. */
const maxChunkRows = 20_000;
const maxChunkCharacters = 32_000_000;
/** Fields whose changes are counted; outputs may have another name for each row. */
const maxCountedFields = 1_000;
/** Characters of the outputs of listed rows: an answer with more would fill the memory of server and client. */
const maxListedCharacters = 8_000_000;

export class RunComparer {
  readonly #batches: BatchQueries;
  readonly #rules: ReadonlyMap<string, FieldRule>;
  readonly #options: ComparisonOptions;
  readonly #first: ComparedRun;
  readonly #second: ComparedRun;
  readonly #outcomes: PairOutcome[] = [];
  readonly #changes = new Map<string, number>();

  constructor(
    batches: BatchQueries,
    [firstRunId, secondRunId]: readonly [string, string],
    options: ComparisonOptions,
  ) {
    this.#batches = batches;
    this.#options = options;
    this.#rules = new Map(options.rules.map((rule) => [rule.name, rule]));
    this.#first = comparedRun(batches, firstRunId);
    this.#second = comparedRun(batches, secondRunId);
  }

  /** Yields the number of rows read so far. Throws `data_unreadable`. */
  *compare(): Generator<number, RunComparison, undefined> {
    const { matching, maxListed } = this.#options;
    const { positions, repeatedKeys } = yield* this.#match();
    for (let from = 0; from < this.#first.rows;) from = yield* this.#compareChunk(positions, from);
    const unmatched = unmatchedPositions(positions, this.#second.rows);
    const counts = Object.fromEntries(pairOutcomes.map((outcome) => [outcome, 0])) as Record<
      PairOutcome,
      number
    >;
    for (const outcome of this.#outcomes) counts[outcome] += 1;
    counts.onlyInSecond = unmatched.length;
    return {
      matching,
      counts,
      repeatedKeys,
      fields: [...this.#changes]
        .map(([name, rows]) => ({ name, rows }))
        .sort((one, other) => other.rows - one.rows),
      rows: yield* this.#listed(positions, unmatched, maxListed),
    };
  }

  *#match(): Generator<number, Matches, undefined> {
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
  *#matchByColumn(column: Column): Generator<number, Matches, undefined> {
    const { rows } = this.#second;
    /** The first unmatched position of each value, and for each position the next one that has the same value. */
    const firstOf = new Map<string, number>();
    const lastOf = new Map<string, number>();
    const nextOf = new Uint32Array(rows + 1);
    let repeatedKeys = 0;
    for (const { key, position, isStep } of this.#keys(this.#second, column)) {
      if (isStep) yield position;
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
      if (isStep) yield position;
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
    { runId, rows }: ComparedRun,
    { of, name }: Column,
  ): Generator<{ readonly key: string | undefined; readonly position: number; readonly isStep: boolean }> {
    const cursor = LineCursor.over(this.#batches, runId, of);
    const meter = new StepMeter();
    for (let position = 1; position <= rows; position += 1) {
      const line = cursor.lineAt(position);
      const value = fieldOf(parseLine(line), name);
      yield { key: value === undefined ? undefined : keyOfValue(value), position, isStep: meter.isDue(line) };
    }
  }

  /** Compares rows of the first run from an index on, and returns the index after them. */
  *#compareChunk(positions: Uint32Array, from: number): Generator<number, number, undefined> {
    const cursor = LineCursor.over(this.#batches, this.#first.runId, 'output');
    const open: { readonly index: number; readonly position: number; readonly line: Line }[] = [];
    const meter = new StepMeter();
    let index = from;
    for (let characters = 0; index < this.#first.rows; index += 1) {
      if (index - from >= maxChunkRows || characters >= maxChunkCharacters) break;
      const position = positions[index] ?? 0;
      const outcome = this.#outcomeOfStates(index, position);
      this.#outcomes[index] = outcome ?? 'same';
      const line = outcome === undefined ? cursor.lineAt(index + 1) : undefined;
      if (meter.isDue(line)) yield index;
      if (outcome !== undefined) continue;
      characters += lengthOf(line);
      open.push({ index, position, line });
    }
    open.sort((one, other) => one.position - other.position);
    const others = LineCursor.over(this.#batches, this.#second.runId, 'output');
    for (const [done, { index: at, position, line }] of open.entries()) {
      if (meter.isDue(line)) yield from + done;
      this.#outcomes[at] = this.#compareLines(line, others.lineAt(position));
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

  #compareLines(before: Line, after: Line): PairOutcome {
    if (before === largeLine || after === largeLine) return 'notCompared';
    if (before === after) return 'same';
    const fields = this.#changedFields(before, after);
    for (const { name } of fields) {
      const rows = this.#changes.get(name) ?? 0;
      if (rows > 0 || this.#changes.size < maxCountedFields) this.#changes.set(name, rows + 1);
    }
    return fields.length === 0 ? 'same' : 'changed';
  }

  #changedFields(before: Line, after: Line): readonly ChangedField[] {
    return changedFields(parseLine(before) ?? {}, parseLine(after) ?? {}, this.#rules);
  }

  /** The first differing rows, once more with their fields; as many as an answer carries. */
  *#listed(
    positions: Uint32Array,
    unmatched: readonly number[],
    maxListed: number,
  ): Generator<number, readonly DifferingRow[], undefined> {
    const listed: DifferingRow[] = [];
    let characters = 0;
    const before = LineCursor.over(this.#batches, this.#first.runId, 'output');
    const after = LineCursor.over(this.#batches, this.#second.runId, 'output');
    for (const [index, outcome] of this.#outcomes.entries()) {
      if (listed.length >= maxListed) break;
      if (!isDifference(outcome)) continue;
      const position = positions[index] ?? 0;
      const firstNumber = this.#first.numbers[index] ?? 0;
      const secondNumber = this.#second.numbers[position - 1];
      const row = { outcome, firstNumber, ...(secondNumber === undefined ? {} : { secondNumber }) };
      if (outcome !== 'changed') {
        listed.push(row);
        continue;
      }
      const one = before.lineAt(index + 1);
      const other = after.lineAt(position);
      characters += lengthOf(one) + lengthOf(other);
      if (characters > maxListedCharacters) return listed;
      listed.push({ ...row, fields: this.#changedFields(one, other) });
      yield index;
    }
    for (const position of unmatched.slice(0, maxListed - listed.length))
      listed.push({ outcome: 'onlyInSecond', secondNumber: this.#second.numbers[position - 1] ?? 0 });
    return listed;
  }
}

const isDifference = (outcome: PairOutcome): outcome is DifferingRow['outcome'] =>
  outcome !== 'same' && outcome !== 'bothFailed' && outcome !== 'notCompared';

const lengthOf = (line: Line): number => (typeof line === 'string' ? line.length : 0);

function comparedRun(batches: BatchQueries, runId: string): ComparedRun {
  const { lastRow: rows, lastResult, hasNumbers } = batches.extent(runId);
  const stored = hasNumbers ? batches.rowNumbers(runId, 1, rows) : undefined;
  const numbers =
    stored === undefined
      ? Uint32Array.from({ length: rows }, (_, index) => index + 1)
      : Uint32Array.from(decodeRowNumbers(stored));
  const states: RowState['state'][] = [];
  while (states.length < lastResult) {
    const batch = batches.outputBatch(runId, states.length + 1, 'states');
    if (batch?.bytes === undefined) break;
    const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    for (let offset = 0; offset < batch.bytes.byteLength; offset += rowStateBytes)
      states.push(readRowState(view, offset).state);
  }
  return { runId, rows, numbers, states };
}

/** Both lists of numbers rise. */
function matchByNumber(first: Uint32Array, second: Uint32Array): Uint32Array {
  const positions = new Uint32Array(first.length);
  let other = 0;
  for (const [index, number] of first.entries()) {
    while ((second[other] ?? Infinity) < number) other += 1;
    if (second[other] === number) positions[index] = other + 1;
  }
  return positions;
}

function unmatchedPositions(matched: Uint32Array, rows: number): readonly number[] {
  const isMatched = new Uint8Array(rows + 1);
  for (const position of matched) isMatched[position] = 1;
  const unmatched: number[] = [];
  for (let position = 1; position <= rows; position += 1)
    if (isMatched[position] === 0) unmatched.push(position);
  return unmatched;
}
