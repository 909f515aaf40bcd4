// What differs between the results of two runs, row by row.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { findDifferences } from '../tests/find-differences.ts';
import type { Column } from './column.ts';
import type { Direction, Trend } from './value-trends.ts';

/**
 * How the rows of two runs are matched. `number`: by row number, as a rerun has the numbers of its original. `position`: the
 * first row with the first one, and so on. A column: by its value; of rows that share a value, the first with the first one.
 */
export type RowMatching = 'number' | 'position' | Column;

/** A field that is compared less strictly: not at all, up to a difference of numbers, or without regard to case. */
export type FieldRule = { readonly name: string } & (
  | { readonly rule: 'ignore' }
  | { readonly rule: 'tolerance'; readonly tolerance: number }
  | { readonly rule: 'ignoreCase' }
);

export type ComparisonOptions = {
  readonly matching: RowMatching;
  readonly rules: readonly FieldRule[];
  /** Fields whose numbers are better when they are higher, or lower; absent: none. */
  readonly directions?: readonly Direction[] | undefined;
};

export const pairOutcomes = [
  'same',
  'changed',
  'newlyFailing',
  'fixed',
  'bothFailed',
  'notCompared',
  'onlyInFirst',
  'onlyInSecond',
] as const;
/**
 * `bothFailed`: the row failed in both runs. `notCompared`: one of the runs has no result for it, because the run was cancelled
 * or is still under way, or an output is too large to be compared.
 */
export type PairOutcome = (typeof pairOutcomes)[number];

export type ChangedField = {
  readonly name: string;
  /** Absent: the output has no such field. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

/** A row of one side with the row of the other that it is matched with. Numbers are absent where a side does not have the row. */
export type ComparedRow = {
  readonly outcome: PairOutcome;
  readonly firstNumber?: number;
  readonly secondNumber?: number;
  /** The attempt that the row's result is from; only of a side that has several runs. */
  readonly firstRunId?: string;
  readonly secondRunId?: string;
  /** Only of a changed row. */
  readonly fields?: readonly ChangedField[];
  /** Only of a changed row, and of a comparison with directions. */
  readonly trend?: Trend;
  /** The beginning of the first text of its input. */
  readonly label?: string;
  /** Values of the requested fields of its input; null where it has none. */
  readonly inputs?: readonly (JsonValue | null)[];
};

export type ComparisonSummary = {
  readonly matching: RowMatching;
  readonly counts: Readonly<Record<PairOutcome, number>>;
  /** Changed rows by trend; absent without directions. */
  readonly trends?: Readonly<Record<Trend, number>>;
  /** Rows that share their value of the matching column with an earlier row of the same run. */
  readonly repeatedKeys: number;
  /** In how many changed rows a field differs, the most frequent field first; of very many fields, not all. */
  readonly fields: readonly { readonly name: string; readonly rows: number }[];
};

/** `both`: each row that both sides have. */
export type OutcomeFilter = PairOutcome | 'both';

/**
 * Rows of a comparison: those with the outcome, or all that differ; with a field, only rows in which that field changed;
 * with a trend, only rows that changed in that way.
 */
export type ComparisonFilter = {
  readonly outcome?: OutcomeFilter | undefined;
  readonly field?: string | undefined;
  readonly trend?: Trend | undefined;
};

/** A part of the rows that the filter leaves. */
export type ComparisonSlice = ComparisonFilter & {
  /** From 1. */
  readonly from: number;
  readonly count: number;
  /** `worst`: newly failing rows first, then those whose value became worse, and equal ones last. Absent: by number. */
  readonly order?: 'worst' | undefined;
  /** Fields of the input that rows have in the answer, besides their label. Absent: rows have no label either. */
  readonly inputs?: readonly string[] | undefined;
};

/** The runs of one side of a comparison: one run, or attempts of its chain, oldest first. */
export type ComparedSide = readonly string[];

export type ComparisonRequest = {
  readonly first: ComparedSide;
  readonly second: ComparedSide;
  readonly options: ComparisonOptions;
  readonly slice: ComparisonSlice;
  /**
   * Version of an earlier answer. The rows are those of that answer, even if a run has more results by now, as long as the
   * store still has it.
   */
  readonly version?: string | undefined;
};

export type ComparisonPage = ComparisonSummary & {
  /** Changes with the stored rows and results of both runs. */
  readonly version: string;
  /** Results of all runs of both sides that there were when they were compared. */
  readonly rowsEnded: number;
  readonly rows: readonly ComparedRow[];
  /** Where to go on from. */
  readonly next: number;
  /** Rows that the filter leaves. */
  readonly there: number;
};

/** An answer, or how far it is. `rowsRead` counts a row each time that it is read. */
export type ComparisonStep =
  | { readonly isReady: false; readonly rowsRead: number; readonly rows: number }
  | ({ readonly isReady: true } & ComparisonPage);

/** The outcomes of rows that are differences. A row that only one side has is none: the other did not run it. */
export const differingOutcomes = [
  'changed',
  'newlyFailing',
  'fixed',
] as const satisfies readonly PairOutcome[];

/** The outcomes of rows that both sides have, the worst first. */
export const commonOutcomes = [
  'newlyFailing',
  'changed',
  'fixed',
  'bothFailed',
  'notCompared',
  'same',
] as const satisfies readonly PairOutcome[];

type Counts = ComparisonSummary['counts'];
const rowsWith = (counts: Counts, outcomes: readonly PairOutcome[]): number =>
  outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

export const differingRows = (counts: Counts): number => rowsWith(counts, differingOutcomes);
/** Rows that both sides have. */
export const commonRows = (counts: Counts): number => rowsWith(counts, commonOutcomes);

/** The fields that differ between two outputs, by the rules, in the order of the first output. */
export function changedFields(
  before: JsonObject,
  after: JsonObject,
  rules: ReadonlyMap<string, FieldRule>,
): readonly ChangedField[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed: ChangedField[] = [];
  for (const name of names) {
    const one = Object.hasOwn(before, name) ? before[name] : undefined;
    const other = Object.hasOwn(after, name) ? after[name] : undefined;
    if (isSame(one, other, rules.get(name))) continue;
    changed.push({
      name,
      ...(one === undefined ? {} : { before: one }),
      ...(other === undefined ? {} : { after: other }),
    });
  }
  return changed;
}

function isSame(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  rule: FieldRule | undefined,
): boolean {
  if (rule?.rule === 'ignore') return true;
  if (before === undefined || after === undefined) return before === after;
  const differences = findDifferences(before, after, false);
  if (rule === undefined) return differences.length === 0;
  return differences.every(({ expected, actual }) => isWithin(expected, actual, rule));
}

/** True for two numbers within the tolerance, and two texts that only differ in case. */
function isWithin(before: JsonValue | undefined, after: JsonValue | undefined, rule: FieldRule): boolean {
  if (rule.rule === 'tolerance')
    return (
      typeof before === 'number' && typeof after === 'number' && Math.abs(before - after) <= rule.tolerance
    );
  return (
    typeof before === 'string' && typeof after === 'string' && before.toLowerCase() === after.toLowerCase()
  );
}
