// The outcome of a comparison, a few bytes a row: any part of it is listed without comparing again. Created and filled by
// `RunComparer`.
import type { JsonValue } from '../../../base/json-value.ts';
import {
  changedFields,
  commonOutcomes,
  differingOutcomes,
  pairOutcomes,
  type ChangedField,
  type ComparedRow,
  type ComparisonFilter,
  type ComparisonSlice,
  type ComparisonSummary,
  type FieldRule,
  type OutcomeFilter,
  type PairOutcome,
  type RowMatching,
} from '../../../domain/query/compare-runs.ts';
import { gainOf, trendOf, type Direction, type Trend } from '../../../domain/query/value-trends.ts';
import { labelOf } from '../../../domain/rows/row-label.ts';
import type { RowState } from '../../../domain/run/row-state.ts';
import type { Steps } from './continued-queries.ts';
import { parseLine, type Line } from '../line-cursor.ts';
import type { TableRows } from './table-rows.ts';

/** The rows of a side, as they were when they were read. */
export type SideRows = {
  readonly table: TableRows;
  /** True if its rows are from several runs. */
  readonly isMerged: boolean;
  readonly rows: number;
  /** Row numbers; the first row is at index 0. */
  readonly numbers: Uint32Array;
  /** Undefined for a row without a result. */
  readonly states: readonly (RowState['state'] | undefined)[];
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

type PairOptions = {
  readonly rules: ReadonlyMap<string, FieldRule>;
  readonly directions: readonly Direction[];
  /** Results that both sides had when they were compared. */
  readonly rowsEnded: number;
};

export class ComparedPairs {
  readonly #first: SideRows;
  readonly #second: SideRows;
  readonly #options: PairOptions;
  /** Index in `pairOutcomes` by row of the first side. */
  readonly #outcomes: Uint8Array;
  /** By how much a row became better; empty without directions. */
  readonly #gains: Float64Array;
  /** Rows in which a field changed, by its name; `at` is its bit in `#changes`. */
  readonly #fields = new Map<string, { readonly at: number; rows: number }>();
  /** One bit a row for each field that changed, 32 fields an array. */
  readonly #changes: Uint32Array[] = [];
  /** Positions in the second side by row of the first one; 0: none. */
  #positions = new Uint32Array();
  /** Positions of rows that only the second side has. */
  #unmatched = new Uint32Array();
  #matching: RowMatching = 'position';
  #repeatedKeys = 0;
  /** The rows that the last filter left. */
  #filtered: { readonly key: string; readonly entries: Uint32Array } | undefined;

  constructor([first, second]: readonly [SideRows, SideRows], options: PairOptions) {
    this.#first = first;
    this.#second = second;
    this.#options = options;
    this.#outcomes = new Uint8Array(first.rows);
    this.#gains = new Float64Array(options.directions.length === 0 ? 0 : first.rows);
  }

  setMatches(matching: RowMatching, positions: Uint32Array<ArrayBuffer>, repeatedKeys: number): void {
    this.#matching = matching;
    this.#positions = positions;
    this.#repeatedKeys = repeatedKeys;
  }

  setOutcome(index: number, outcome: PairOutcome): void {
    this.#outcomes[index] = pairOutcomes.indexOf(outcome);
  }

  /** A row whose outputs differ in these fields. */
  setChanged(index: number, fields: readonly ChangedField[]): void {
    this.setOutcome(index, 'changed');
    for (const { name } of fields) this.#addChange(index, name);
    if (this.#gains.length > 0) this.#gains[index] = gainOf(fields, this.#options.directions);
  }

  #addChange(index: number, name: string): void {
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

  get rowsEnded(): number {
    return this.#options.rowsEnded;
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
      ...(this.#gains.length === 0 ? {} : { trends: this.#trends() }),
      repeatedKeys: this.#repeatedKeys,
      fields: [...this.#fields]
        .map(([name, { rows }]) => ({ name, rows }))
        .sort((one, other) => other.rows - one.rows),
    };
  }

  #trends(): Record<Trend, number> {
    const trends = { worse: 0, better: 0, neither: 0 };
    for (const index of this.#outcomes.keys()) {
      const trend = this.#trendAt(index);
      if (trend !== undefined) trends[trend] += 1;
    }
    return trends;
  }

  /** Undefined without directions, and for a row that has not changed. */
  #trendAt(index: number): Trend | undefined {
    const gain = this.#gains[index];
    return gain === undefined || this.#outcomeAt(index) !== 'changed' ? undefined : trendOf(gain);
  }

  #outcomeAt(index: number): PairOutcome {
    return pairOutcomes[this.#outcomes[index] ?? pairOutcomes.indexOf('onlyInSecond')] ?? 'same';
  }

  /** Rows that the filter leaves, with their fields; fewer than requested where they are large. */
  *window({ from, count, inputs, ...filter }: ComparisonSlice): Steps<ComparedWindow> {
    const entries = this.#entries(filter);
    const readRow = this.#rowReader(inputs);
    const rows: ComparedRow[] = [];
    let characters = 0;
    for (const entry of entries.subarray(from - 1, from - 1 + count)) {
      const { row, length } = readRow(entry);
      characters += length;
      if (characters > maxWindowCharacters && rows.length > 0) break;
      rows.push(row);
      yield rows.length;
    }
    return { rows, next: from + rows.length, there: entries.length };
  }

  /**
   * Indexes of rows of the first side in the order of the filter, or indexes of unmatched positions with the number of its
   * rows added.
   */
  #entries({ order, ...filter }: ComparisonFilter & Pick<ComparisonSlice, 'order'>): Uint32Array {
    const key = JSON.stringify([filter.outcome, filter.field, filter.trend, order]);
    if (this.#filtered?.key !== key) {
      const found =
        filter.outcome === 'onlyInSecond'
          ? Array.from(this.#unmatched, (_, index) => this.#first.rows + index)
          : this.#filter(filter);
      if (order === 'worst') found.sort((one, other) => this.#compareWorst(one, other));
      this.#filtered = { key, entries: Uint32Array.from(found) };
    }
    return this.#filtered.entries;
  }

  /** Indexes of rows of the first side. */
  #filter({ outcome, field, trend }: ComparisonFilter): number[] {
    const found: number[] = [];
    const hasChanged = this.#changeFinder(field);
    const listed = listedOutcomes(outcome);
    const isListed = pairOutcomes.map((each) => listed.includes(each));
    for (const [index, each] of this.#outcomes.entries()) {
      const isOf = isListed[each] === true && hasChanged(index);
      if (isOf && (trend === undefined || trend === this.#trendAt(index))) found.push(index);
    }
    return found;
  }

  /** Rows of the same outcome and gain stay in their order. */
  #compareWorst(one: number, other: number): number {
    const rank = (index: number): number => outcomeRanks.get(this.#outcomeAt(index)) ?? commonOutcomes.length;
    return rank(one) - rank(other) || (this.#gains[one] ?? 0) - (this.#gains[other] ?? 0);
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

  /** Reads rows with what changed in them, and says how many characters they took. */
  #rowReader(
    inputs: readonly string[] | undefined,
  ): (entry: number) => { readonly row: ComparedRow; readonly length: number } {
    const [first, second] = [sideReader(this.#first, 'first'), sideReader(this.#second, 'second')];
    return (entry) => {
      const outcome = this.#outcomeAt(entry);
      const [at, otherAt] = this.#positionsOf(entry);
      const changed =
        outcome === 'changed' ? this.#changesAt([first.outputAt(at), second.outputAt(otherAt)]) : undefined;
      const trend = this.#trendAt(entry);
      const input = inputs && inputOf(otherAt > 0 ? second.inputAt(otherAt) : first.inputAt(at), inputs);
      return {
        row: {
          outcome,
          ...first.namesOf(at),
          ...second.namesOf(otherAt),
          ...(changed === undefined ? {} : { fields: changed.fields }),
          ...(trend === undefined ? {} : { trend }),
          ...input?.columns,
        },
        length: (changed?.length ?? 0) + (input?.length ?? 0),
      };
    };
  }

  /** The positions of an entry in both sides; 0: the side does not have the row. */
  #positionsOf(entry: number): readonly [number, number] {
    const { rows } = this.#first;
    return entry < rows ? [entry + 1, this.#positions[entry] ?? 0] : [0, this.#unmatched[entry - rows] ?? 0];
  }

  #changesAt([before, after]: readonly [Line, Line]): {
    readonly fields: readonly ChangedField[];
    readonly length: number;
  } {
    const { rules } = this.#options;
    return {
      fields: changedFields(parseLine(before) ?? {}, parseLine(after) ?? {}, rules),
      length: lengthOf(before) + lengthOf(after),
    };
  }
}

const outcomeRanks = new Map<PairOutcome, number>(commonOutcomes.map((outcome, rank) => [outcome, rank]));

function listedOutcomes(outcome: OutcomeFilter | undefined): readonly PairOutcome[] {
  if (outcome === undefined) return differingOutcomes;
  return outcome === 'both' ? commonOutcomes : [outcome];
}

/** Reads rows of a side by position; position 0 is none. */
function sideReader({ table, isMerged, numbers }: SideRows, side: 'first' | 'second') {
  const outputAt = table.lineReader('output');
  const inputAt = table.lineReader('input');
  const rowAt = table.rowReader();
  return {
    outputAt,
    inputAt,
    /** The row's number, and of several runs the one that its result is from. */
    namesOf: (position: number): Partial<ComparedRow> => {
      if (position === 0) return {};
      const number = { [`${side}Number`]: numbers[position - 1] };
      return isMerged ? { ...number, [`${side}RunId`]: rowAt(position).runId } : number;
    },
  };
}

function inputOf(
  line: Line,
  names: readonly string[],
): { readonly columns: Pick<ComparedRow, 'label' | 'inputs'>; readonly length: number } {
  const input = parseLine(line);
  const label = labelOf(input);
  const valueOf = (name: string): JsonValue | null =>
    input !== undefined && Object.hasOwn(input, name) ? (input[name] ?? null) : null;
  return {
    columns: {
      ...(label === undefined ? {} : { label }),
      ...(names.length === 0 ? {} : { inputs: names.map(valueOf) }),
    },
    length: lengthOf(line),
  };
}

const lengthOf = (line: Line): number => (typeof line === 'string' ? line.length : 0);
