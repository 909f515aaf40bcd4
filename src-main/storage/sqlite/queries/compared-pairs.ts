// The outcome of a comparison, a few bytes a row: any part of it is listed without comparing again. Created and filled by
// `RunComparer`.
import {
  changedFields,
  differingOutcomes,
  pairOutcomes,
  type ComparedRow,
  type ComparisonFilter,
  type ComparisonSlice,
  type ComparisonSummary,
  type FieldRule,
  type PairOutcome,
  type RowMatching,
} from '../../../domain/query/compare-runs.ts';
import type { RowState } from '../../../domain/run/row-state.ts';
import type { BatchReads } from '../batch-queries.ts';
import type { Steps } from './continued-queries.ts';
import { LineCursor, parseLine, type Line } from '../line-cursor.ts';

export type ComparedRun = {
  readonly runId: string;
  readonly rows: number;
  /** Row numbers; the first row is at index 0. */
  readonly numbers: Uint32Array;
  /** One for each row that has ended. */
  readonly states: readonly RowState['state'][];
};

export type ComparedWindow = {
  readonly rows: readonly ComparedRow[];
  readonly next: number;
  readonly there: number;
};

/** Fields whose changes are counted; outputs may have another name for each row. */
const maxCountedFields = 1_000;
/** Characters of the outputs of one window: an answer with more would fill the memory of server and client. */
const maxWindowCharacters = 8_000_000;

export class ComparedPairs {
  readonly #batches: BatchReads;
  readonly #first: ComparedRun;
  readonly #second: ComparedRun;
  readonly #rules: ReadonlyMap<string, FieldRule>;
  /** Index in `pairOutcomes` by row of the first run. */
  readonly #outcomes: Uint8Array;
  /** Rows in which a field changed, by its name; `at` is its bit in `#changes`. */
  readonly #fields = new Map<string, { readonly at: number; rows: number }>();
  /** One bit a row for each field that changed, 32 fields an array. */
  readonly #changes: Uint32Array[] = [];
  /** Positions in the second run by row of the first one; 0: none. */
  #positions = new Uint32Array();
  /** Positions of rows that only the second run has. */
  #unmatched = new Uint32Array();
  #matching: RowMatching = 'position';
  #repeatedKeys = 0;
  /** The rows that the last filter left. */
  #filtered: { readonly key: string; readonly entries: Uint32Array } | undefined;

  constructor(
    batches: BatchReads,
    [first, second]: readonly [ComparedRun, ComparedRun],
    rules: ReadonlyMap<string, FieldRule>,
  ) {
    this.#batches = batches;
    this.#first = first;
    this.#second = second;
    this.#rules = rules;
    this.#outcomes = new Uint8Array(first.rows);
  }

  setMatches(matching: RowMatching, positions: Uint32Array<ArrayBuffer>, repeatedKeys: number): void {
    this.#matching = matching;
    this.#positions = positions;
    this.#repeatedKeys = repeatedKeys;
  }

  setOutcome(index: number, outcome: PairOutcome): void {
    this.#outcomes[index] = pairOutcomes.indexOf(outcome);
  }

  addChange(index: number, name: string): void {
    let field = this.#fields.get(name);
    if (field === undefined) {
      if (this.#fields.size >= maxCountedFields) return;
      field = { at: this.#fields.size, rows: 0 };
      this.#fields.set(name, field);
    }
    field.rows += 1;
    const bits = (this.#changes[field.at >> 5] ??= new Uint32Array(this.#first.rows));
    bits[index] = (bits[index] ?? 0) | (1 << (field.at & 31));
  }

  /** To be called once all rows of the first run have an outcome. */
  finish(): void {
    const isMatched = new Uint8Array(this.#second.rows + 1);
    for (const position of this.#positions) isMatched[position] = 1;
    const unmatched: number[] = [];
    for (let position = 1; position <= this.#second.rows; position += 1)
      if (isMatched[position] === 0) unmatched.push(position);
    this.#unmatched = Uint32Array.from(unmatched);
  }

  /** Rows of both runs that had ended when they were compared. */
  get rowsEnded(): number {
    return this.#first.states.length + this.#second.states.length;
  }

  summary(): ComparisonSummary {
    const counts = Object.fromEntries(pairOutcomes.map((outcome) => [outcome, 0])) as Record<
      PairOutcome,
      number
    >;
    for (const outcome of this.#outcomes) counts[pairOutcomes[outcome] ?? 'same'] += 1;
    counts.onlyInSecond = this.#unmatched.length;
    return {
      matching: this.#matching,
      counts,
      repeatedKeys: this.#repeatedKeys,
      fields: [...this.#fields]
        .map(([name, { rows }]) => ({ name, rows }))
        .sort((one, other) => other.rows - one.rows),
    };
  }

  /** Rows that the filter leaves, with their fields; fewer than requested where their outputs are large. */
  *window({ from, count, ...filter }: ComparisonSlice): Steps<ComparedWindow> {
    const entries = this.#entries(filter);
    const before = LineCursor.over(this.#batches, this.#first.runId, 'output');
    const after = LineCursor.over(this.#batches, this.#second.runId, 'output');
    const rows: ComparedRow[] = [];
    let characters = 0;
    for (const entry of entries.subarray(from - 1, from - 1 + count)) {
      const row = this.#row(entry);
      if (row.outcome !== 'changed') rows.push(row);
      else {
        const lines = [before.lineAt(entry + 1), after.lineAt(this.#positions[entry] ?? 0)] as const;
        characters += lengthOf(lines[0]) + lengthOf(lines[1]);
        if (characters > maxWindowCharacters && rows.length > 0) break;
        const fields = changedFields(parseLine(lines[0]) ?? {}, parseLine(lines[1]) ?? {}, this.#rules);
        rows.push({ ...row, fields });
      }
      yield rows.length;
    }
    return { rows, next: from + rows.length, there: entries.length };
  }

  /** Indexes of rows of the first run; after them, with the length of that run added, indexes of unmatched positions. */
  #entries({ outcome, field }: ComparisonFilter): Uint32Array {
    const key = JSON.stringify([outcome, field]);
    if (this.#filtered?.key !== key) {
      const found: number[] = [];
      const hasChanged = this.#changeFinder(field);
      const listed: readonly PairOutcome[] = outcome === undefined ? differingOutcomes : [outcome];
      const isListed = pairOutcomes.map((each) => listed.includes(each));
      for (const [index, each] of this.#outcomes.entries())
        if (isListed[each] === true && hasChanged(index)) found.push(index);
      if (field === undefined && listed.includes('onlyInSecond'))
        for (const index of this.#unmatched.keys()) found.push(this.#first.rows + index);
      this.#filtered = { key, entries: Uint32Array.from(found) };
    }
    return this.#filtered.entries;
  }

  /** Tells whether the field changed in a row; without a field, true of every row. */
  #changeFinder(name: string | undefined): (index: number) => boolean {
    if (name === undefined) return () => true;
    const field = this.#fields.get(name);
    const bits = field === undefined ? undefined : this.#changes[field.at >> 5];
    if (field === undefined || bits === undefined) return () => false;
    const bit = 1 << (field.at & 31);
    return (index) => ((bits[index] ?? 0) & bit) !== 0;
  }

  #row(entry: number): ComparedRow {
    const outcome = pairOutcomes[this.#outcomes[entry] ?? pairOutcomes.indexOf('onlyInSecond')] ?? 'same';
    const position = this.#positions[entry] ?? this.#unmatched[entry - this.#first.rows] ?? 0;
    const firstNumber = this.#first.numbers[entry];
    const secondNumber = this.#second.numbers[position - 1];
    return {
      outcome,
      ...(firstNumber === undefined ? {} : { firstNumber }),
      ...(secondNumber === undefined ? {} : { secondNumber }),
    };
  }
}

const lengthOf = (line: Line): number => (typeof line === 'string' ? line.length : 0);
