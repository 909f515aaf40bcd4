// Collects what the rows of a test broke, one row after the other, and counts for the rules over all rows. The time per
// row does not depend on the number of rows.
import { countedValuesExceeded } from '../test-errors.ts';
import type { RowFindings } from './check-row.ts';
import type { Difference } from './compare-outcome.ts';
import {
  isWithin,
  describeRule,
  type BrokenRule,
  type CheckResult,
  type OutputRules,
  type Scoring,
} from './field-rules.ts';
import { shortened, shown } from './shown-value.ts';

/** Differences of a test: those that are listed, and how many more there are. */
export type ListedDifferences = { readonly listed: readonly Difference[]; readonly more: number };

/** Maximum values that `unique` rules of a test hold in memory. */
const maxCountedValues = 2_000_000;
/** Maximum differences that are kept of each field, of the compared rows and of the scores; a report shows 20 of all. */
const maxListed = 100;
/** Maximum differences that are kept of all fields. */
const maxListedOfFields = 10_000;

/** A list of differences that keeps the first ones and counts the rest. */
class DifferenceList {
  readonly #listed: Difference[] = [];
  #more = 0;

  add(difference: Difference): void {
    if (this.#listed.length < maxListed) this.#listed.push(difference);
    else this.#more += 1;
  }

  addMore(count: number): void {
    this.#more += count;
  }

  end(): ListedDifferences {
    return { listed: this.#listed, more: this.#more };
  }
}

/** All lists as one. */
export const joinDifferences = (lists: readonly ListedDifferences[]): ListedDifferences => ({
  listed: lists.flatMap(({ listed }) => listed),
  more: lists.reduce((sum, { more }) => sum + more, 0),
});

/** A value of several rows: the first of them, from 1, and how many there are. */
type Repeated = { readonly text: string; readonly rows: number[]; count: number };

type FieldCounts = {
  readonly broken: DifferenceList;
  /** The first row, from 1, of each value. */
  readonly firstRows: Map<string, number>;
  /** The repeated value whose first row is the earliest. */
  repeated: Repeated | undefined;
  shared: number;
  total: number;
};

export class RuleCounts {
  readonly #rules: OutputRules;
  readonly #fields: readonly FieldCounts[];
  readonly #compared = new DifferenceList();
  #listed = 0;
  /** Broken rules that are not listed. */
  #unlisted = 0;
  #values = 0;

  constructor(rules: OutputRules) {
    this.#rules = rules;
    this.#fields = rules.map(() => ({
      broken: new DifferenceList(),
      firstRows: new Map(),
      repeated: undefined,
      shared: 0,
      total: 0,
    }));
  }

  /**
   * Adds the findings of the next row. Throws `invalid_input` if `unique` rules would hold too many values.
   * @param row index, from 0
   */
  add(row: number, { differences, moreDifferences, broken, moreBroken, counted }: RowFindings): void {
    for (const { path, ...difference } of differences)
      this.#compared.add({ what: 'rows', ...difference, path: [row, ...path] });
    this.#compared.addMore(moreDifferences);
    for (const each of broken) this.#addBroken(row, each);
    this.#unlisted += moreBroken;
    for (const { field, text, isShared } of counted) {
      const counts = this.#fields[field];
      if (counts === undefined) continue;
      counts.total += 1;
      if (isShared === true) counts.shared += 1;
      if (text !== undefined) this.#countText(counts, text, row + 1);
    }
  }

  /** A row that could not be checked. */
  addUnchecked(row: number, found: string): void {
    const [first] = this.#fields;
    const list = first?.broken ?? this.#compared;
    const [name = ''] = this.#rules[0] ?? [];
    list.add({ what: 'fields', path: [row, name], rule: 'can be checked', found });
  }

  #addBroken(row: number, { field, rule, found }: BrokenRule): void {
    const [name, rules] = this.#rules[field] ?? ['', {}];
    if (this.#listed >= maxListedOfFields) {
      this.#unlisted += 1;
      return;
    }
    this.#listed += 1;
    const difference: Difference = {
      what: 'fields',
      path: [row, name],
      rule: describeRule(rules, rule),
      found,
    };
    this.#fields[field]?.broken.add(difference);
  }

  #countText(counts: FieldCounts, text: string, row: number): void {
    const first = counts.firstRows.get(text);
    if (first === undefined) {
      this.#values += 1;
      if (this.#values > maxCountedValues) throw countedValuesExceeded(maxCountedValues);
      counts.firstRows.set(text, row);
      return;
    }
    const { repeated } = counts;
    if (repeated?.text === text) {
      repeated.count += 1;
      if (repeated.rows.length < maxRowsListed) repeated.rows.push(row);
    } else if (first < (repeated?.rows[0] ?? Infinity))
      counts.repeated = { text, rows: [first, row], count: 2 };
  }

  /** Differences from the expected rows. */
  rowDifferences(): ListedDifferences {
    return this.#compared.end();
  }

  /** Broken rules, by field: first those of rows, then those over all rows. */
  brokenRules(): ListedDifferences {
    const lists = this.#rules.flatMap(([field, rule], index): ListedDifferences[] => {
      const counts = this.#fields[index];
      if (counts === undefined) return [];
      const listed = [...repeatedValue(counts), ...wrongShare(rule, counts)].map((broken): Difference => ({
        what: 'fields',
        path: [field],
        ...broken,
      }));
      return [counts.broken.end(), { listed, more: 0 }];
    });
    return joinDifferences([...lists, { listed: [], more: this.#unlisted }]);
  }
}

type Broken = Required<Pick<Difference, 'rule' | 'found'>>;

function repeatedValue({ repeated }: FieldCounts): Broken[] {
  if (repeated === undefined) return [];
  const { text, rows, count } = repeated;
  return [{ rule: 'unique', found: `${shortened(text)} in ${rowList(rows, count)}` }];
}

function wrongShare({ share }: OutputRules[number][1], { shared, total }: FieldCounts): Broken[] {
  if (share === undefined || total === 0) return [];
  const part = shared / total;
  if (isWithin(part, share.between)) return [];
  const [min, max] = share.between.map(percent);
  return [
    {
      rule: `${shown(share.of)} in ${min} to ${max} of the rows`,
      found: `${shared} of ${total} rows (${percent(part)})`,
    },
  ];
}

/** Scores of the first rows with an output, from row 1; `score`: null for a row whose score is no number. */
export type TestScores = {
  readonly atLeast: number;
  readonly rows: readonly { readonly row: number; readonly score: number | null }[];
  /** Rows that are not listed. */
  readonly more: number;
};

/** Counts the scores of rows. */
export class ScoreCounts {
  readonly #scoring: Scoring;
  readonly #low = new DifferenceList();
  readonly #lowRows: number[] = [];
  readonly #scores: TestScores['rows'][number][] = [];
  #lowCount = 0;
  #total = 0;

  constructor(scoring: Scoring) {
    this.#scoring = scoring;
  }

  /** Adds the score of a row with an output, or why there is none. @param row index, from 0 */
  add(row: number, { result, error }: CheckResult): void {
    const { atLeast } = this.#scoring;
    this.#total += 1;
    if (this.#scores.length < maxScoresListed)
      this.#scores.push({ row: row + 1, score: typeof result === 'number' ? result : null });
    if (typeof result === 'number' && result >= atLeast) return;
    this.#lowCount += 1;
    if (this.#lowRows.length < maxRowsListed) this.#lowRows.push(row + 1);
    this.#low.add({
      what: 'fields',
      path: [row, 'score'],
      rule: `a score of at least ${atLeast}`,
      found: error ?? (typeof result === 'number' ? `a score of ${result}` : 'no score'),
    });
  }

  get scores(): TestScores {
    const rows = this.#scores;
    return { atLeast: this.#scoring.atLeast, rows, more: this.#total - rows.length };
  }

  /** Rows without a good score, or the share if it is too small. */
  broken(): ListedDifferences {
    const { atLeast, share } = this.#scoring;
    if (share === 1) return this.#low.end();
    const good = this.#total - this.#lowCount;
    if (this.#total === 0 || good / this.#total >= share) return { listed: [], more: 0 };
    const found = `${good} of ${this.#total} rows (${percent(good / this.#total)}); not in ${rowList(this.#lowRows, this.#lowCount)}`;
    const rule = `a score of at least ${atLeast} in ${percent(share)} of the rows`;
    return { listed: [{ what: 'fields', path: ['score'], rule, found }], more: 0 };
  }
}

const percent = (part: number): string => `${Math.round(part * 1000) / 10} %`;

const maxRowsListed = 10;
const maxScoresListed = 100;

/** `row 4`; `rows 1, 3`; with more rows than are listed: `rows 1, 3 and 20 more`. */
function rowList(rows: readonly number[], count: number): string {
  const more = count > rows.length ? ` and ${count - rows.length} more` : '';
  return `row${count === 1 ? '' : 's'} ${rows.join(', ')}${more}`;
}
