// The port of comparisons: what differs between the results of two runs, and any part of the rows that differ.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  changedFields,
  differingRows,
  pairOutcomes,
  type ComparedRow,
  type ComparisonOptions,
  type ComparisonPage,
  type ComparisonSlice,
  type PairOutcome,
} from '../../../src-main/domain/query/compare-runs.ts';
import { BatchQueries } from '../../../src-main/storage/sqlite/batch-queries.ts';
import { openForReading } from '../../../src-main/storage/sqlite/open-database.ts';
import { compareSides } from '../../../src-main/storage/sqlite/queries/run-comparer.ts';
import { commitResults, done, storeRun, type StoredRow } from '../../builders/rows-with-results.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { backends } from '../../builders/store-backends.ts';
import { openStores } from '../../builders/run-stores.ts';
import { runIdOf } from '../../builders/stored-rows.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const options: ComparisonOptions = { matching: 'number', rules: [] };

describe.each(backends)('comparisons of runs in %s', (_, create) => {
  const opened = queriedStores(create);
  const stored = (rows: readonly StoredRow[], rowsInCommit = 7): Promise<string> =>
    opened.store(rows, { rowsInCommit });

  /** The first rows that differ, unless the slice says otherwise. */
  const compare = (
    firstRunId: string,
    secondRunId: string,
    by = options,
    slice: Partial<ComparisonSlice> = {},
  ): Promise<ComparisonPage> =>
    opened.stores.queries.compare({
      first: [firstRunId],
      second: [secondRunId],
      options: by,
      slice: { from: 1, count: 1_000, ...slice },
    });

  it('a run that does not exist is not found', async () => {
    const runId = await stored([done(1, {}, {})]);
    for (const pair of [[runId, runIdOf(0)] as const, [runIdOf(0), runId] as const])
      await expect(compare(...pair)).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it('a rerun of some rows is compared by their numbers', async () => {
    const first = await stored([1, 2, 3, 4].map((n) => done(n, { n }, { n })));
    const second = await stored([
      done(2, { n: 2 }, { n: 2 }),
      { number: 4, input: { n: 4 }, state: 'failed' },
    ]);
    const { counts, rows } = await compare(first, second, options);
    expect(counts).toMatchObject({ same: 1, newlyFailing: 1, onlyInFirst: 2, onlyInSecond: 0 });
    expect(rows).toEqual([{ outcome: 'newlyFailing', firstNumber: 4, secondNumber: 4 }]);
    const only = await compare(first, second, options, { outcome: 'onlyInFirst' });
    expect(only.rows.map(({ firstNumber }) => firstNumber)).toEqual([1, 3]);
  });

  it('a side of several attempts has each row once, and names the attempt of its result', async () => {
    const failed = (n: number): StoredRow => ({ number: n, input: { n }, state: 'failed' });
    const sample = await stored([done(1, { n: 1 }, { n: 1 }), failed(2)]);
    const rest = await stored([failed(3), done(4, { n: 4 }, { n: 4 })]);
    const fix = await stored([done(2, { n: 2 }, { n: 2 }), failed(3)]);
    const request = { first: [sample, rest], second: [fix], options };
    const page = await opened.stores.queries.compare({
      ...request,
      slice: { from: 1, count: 10, outcome: 'both' },
    });
    expect(page.counts).toMatchObject({ fixed: 1, bothFailed: 1, onlyInFirst: 2, onlyInSecond: 0 });
    expect(page.rows).toEqual([
      { outcome: 'fixed', firstNumber: 2, secondNumber: 2, firstRunId: sample },
      { outcome: 'bothFailed', firstNumber: 3, secondNumber: 3, firstRunId: rest },
    ]);
    const all = { first: [sample, rest], second: [sample, rest, fix], options };
    const whole = await opened.stores.queries.compare({ ...all, slice: { from: 1, count: 10 } });
    expect(whole.counts).toMatchObject({ same: 2, fixed: 1, bothFailed: 1, onlyInFirst: 0 });
    expect(whole.rows).toMatchObject([{ firstRunId: sample, secondRunId: fix }]);
    expect(await opened.stores.queries.countCommonRows([fix], [[sample, rest], [sample], [fix]])).toEqual([
      2, 1, 2,
    ]);
  });

  it('changed rows are better, worse or neither by the directions of their fields, the worst first', async () => {
    const random = seededRandom(7);
    const pick = (): number => Math.floor(random() * 2);
    const rowsOf = () =>
      Array.from({ length: 40 }, (__, index) =>
        done(index + 1, {}, { score: pick(), ms: pick(), other: pick() }),
      );
    const [before, after] = [rowsOf(), rowsOf()];
    const [first, second] = [await stored(before), await stored(after)];
    const by: ComparisonOptions = {
      ...options,
      directions: [
        { name: 'score', better: 'higher' },
        { name: 'ms', better: 'lower' },
      ],
    };
    const gainAt = (index: number): number => {
      const [one, other] = [before[index]?.output, after[index]?.output] as Record<string, number>[];
      const gains = [other!['score']! - one!['score']!, one!['ms']! - other!['ms']!];
      return Math.min(...gains) < 0 ? Math.min(...gains) : Math.max(...gains);
    };
    const all = await compare(first, second, by, { order: 'worst', outcome: 'changed' });
    const gains = all.rows.map(({ firstNumber = 0 }) => gainAt(firstNumber - 1));
    expect(gains).toEqual(gains.toSorted((one, other) => one - other));
    const { worse = 0, better = 0, neither = 0 } = all.trends ?? {};
    expect(worse + better + neither).toBe(all.counts.changed);
    expect(Math.min(worse, better, neither)).toBeGreaterThan(0);
    for (const [trend, isOf] of [
      ['worse', (gain: number) => gain < 0],
      ['better', (gain: number) => gain > 0],
      ['neither', (gain: number) => gain === 0],
    ] as const) {
      const found = await compare(first, second, by, { trend });
      expect(found.rows.map((row) => row.trend)).toEqual(found.rows.map(() => trend));
      expect(found.rows.map(({ firstNumber = 0 }) => firstNumber)).toEqual(
        all.rows
          .map(({ firstNumber = 0 }) => firstNumber)
          .filter((number) => isOf(gainAt(number - 1)))
          .sort((one, other) => one - other),
      );
    }
    expect((await compare(first, second)).trends).toBeUndefined();
  });

  it('rows have the label and the inputs that are asked for, of the second side if it has them', async () => {
    const first = await stored([
      done(1, { id: 1, name: 'Ada' }, { n: 1 }),
      done(2, { id: 2, name: 'Bo' }, { n: 1 }),
    ]);
    const second = await stored([done(1, { id: 1, name: 'Ada L.', deep: [1] }, { n: 2 })]);
    const { rows } = await compare(first, second, options, { inputs: ['deep', 'none'] });
    expect(rows).toMatchObject([{ firstNumber: 1, label: 'Ada L.', inputs: [[1], null] }]);
    const only = await compare(first, second, options, { outcome: 'onlyInFirst', inputs: [] });
    expect(only.rows).toEqual([{ outcome: 'onlyInFirst', firstNumber: 2, label: 'Bo' }]);
  });

  it('the answer stays small if each row has large outputs and field names of its own', async () => {
    const rowsOf = (mark: string) =>
      stored(
        Array.from({ length: 30 }, (__, row) => {
          const fields = Array.from({ length: 50 }, (___, index) => [`${row} ${index}`, mark] as const);
          const output = new Map([...fields, ['text', mark.repeat(400_000)] as const]);
          return done(row + 1, {}, Object.fromEntries(output));
        }),
        1,
      );
    const [first, second] = [await rowsOf('a'), await rowsOf('b')];
    const { counts, fields, rows } = await compare(first, second, options);
    expect(counts.changed).toBe(30);
    expect(fields).toHaveLength(1_000);
    expect(fields[0]).toEqual({ name: 'text', rows: 30 });
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows).length).toBeLessThan(10_000_000);
  });

  it('rows are matched by values that differ only after a long beginning', async () => {
    const keys = ['a', 'b', 'c'].map((end) => 'x'.repeat(5_000) + end);
    const first = await stored(keys.map((key, index) => done(index + 1, { key }, { key })));
    const second = await stored(keys.toReversed().map((key, index) => done(index + 1, { key }, { key })));
    const matching = { of: 'input', name: 'key' } as const;
    expect((await compare(first, second, { ...options, matching })).counts.same).toBe(3);
  });

  it('of rows that share a key, each is compared with one row only', async () => {
    const ofKeys = (keys: readonly string[]) =>
      stored(keys.map((key, index) => done(index + 1, { key }, { key, index })));
    const first = await ofKeys(['a', 'b', 'a', 'a']);
    const second = await ofKeys(['c', 'a', 'a']);
    const matching = { of: 'input', name: 'key' } as const;
    const { counts, repeatedKeys } = await compare(first, second, { ...options, matching });
    expect(counts).toMatchObject({ same: 1, changed: 1, onlyInFirst: 2, onlyInSecond: 1 });
    expect(repeatedKeys).toBe(3);
  });

  it.each(['number', 'position', 'column'] as const)(
    'by %s, two random runs differ as an independent comparison says',
    async (kind) => {
      const random = seededRandom(kind.length);
      const matching = kind === 'column' ? ({ of: 'output', name: 'key' } as const) : kind;
      const rules = [
        { name: 'noise', rule: 'ignore' },
        { name: 'score', rule: 'tolerance', tolerance: 1 },
        { name: 'label', rule: 'ignoreCase' },
      ] as const;
      for (let trial = 0; trial < 10; trial += 1) {
        const [before, after] = [randomRows(random), randomRows(random)];
        const [first, second] = [await stored(before), await stored(after, 1 + Math.floor(random() * 20))];
        const found = await compare(first, second, { matching, rules }, { count: 5 });
        const expected = naiveComparison(before, after, { matching, rules });
        expect(found.counts).toEqual(expected.counts);
        expect(new Map(found.fields.map(({ name, rows }) => [name, rows]))).toEqual(expected.fields);
        expect(found.rows).toHaveLength(Math.min(5, expected.differing));
      }
    },
  );

  it.each(['number', 'column'] as const)('by %s, pages of a filter have exactly its rows', async (kind) => {
    const random = seededRandom(40 + kind.length);
    const matching = kind === 'column' ? ({ of: 'output', name: 'key' } as const) : kind;
    const by = { matching, rules: [] };
    const [first, second] = [await stored(randomRows(random)), await stored(randomRows(random), 3)];
    const all: ComparedRow[] = [];
    for (const outcome of pairOutcomes) {
      const rows = await paged((from) => compare(first, second, by, { outcome, from, count: 4 }));
      expect(rows.every((row) => row.outcome === outcome)).toBe(true);
      const { counts } = await compare(first, second, by);
      expect(rows).toHaveLength(counts[outcome]);
      if (['changed', 'newlyFailing', 'fixed'].includes(outcome)) all.push(...rows);
    }
    const { rows, fields, counts } = await compare(first, second, by);
    expect(all).toHaveLength(differingRows(counts));
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(all.map((row) => JSON.stringify(row))),
    );
    for (const { name, rows: changed } of fields) {
      const found = await paged((from) => compare(first, second, by, { field: name, from, count: 3 }));
      expect(found).toHaveLength(changed);
      expect(found.every((row) => row.fields?.some((field) => field.name === name))).toBe(true);
    }
    expect(await compare(first, second, by, { field: 'none' })).toMatchObject({ rows: [], there: 0 });
  });

  it('rows are found by any of more fields than 32', async () => {
    const names = Array.from({ length: 70 }, (__, index) => `field ${index}`);
    const rowsWith = (value: number) =>
      stored(names.map((name, index) => done(index + 1, {}, { [name]: value, other: 1 })));
    const [first, second] = [await rowsWith(1), await rowsWith(2)];
    for (const [index, field] of names.entries())
      expect(await compare(first, second, options, { field })).toMatchObject({
        there: 1,
        rows: [{ firstNumber: index + 1 }],
      });
  });

  it('an answer that is not ready says how far it is, and later calls finish the work', async () => {
    const many = (value: number) =>
      stored(
        Array.from({ length: 25_000 }, (__, index) => {
          const text = `${value} ${'x'.repeat(500)}`;
          return done(index + 1, {}, { text, list: [1, 2, { index }], value });
        }),
        1_000,
      );
    const request = {
      first: [await many(1)],
      second: [await many(2)],
      options,
      slice: { from: 1, count: 1 },
    };
    const read: number[] = [];
    const next = () => opened.stores.database.read('readComparison', request);
    let step = await next();
    for (; !step.isReady; step = await next()) {
      expect(step.rows).toBe(50_000);
      read.push(step.rowsRead);
    }
    expect(read.length).toBeGreaterThan(0);
    expect(read).toEqual([...read].sort((one, other) => one - other));
    expect(step).toMatchObject({ counts: { changed: 25_000 }, there: 25_000 });
    expect(step.rows[0]).toMatchObject({ outcome: 'changed', firstNumber: 1 });
  });

  it('a comparison goes on with the rows that had ended at its start, although a run gets further results', async () => {
    // More than one step reads.
    const rows = Array.from({ length: 40_000 }, (_, index) =>
      done(index + 1, { id: `row ${index}` }, { n: index, text: 'x'.repeat(500) }),
    );
    const first = await stored(rows, 1_000);
    const second = await stored(
      rows.map((row, index) => (index < 20_000 ? row : { ...row, state: undefined })),
      1_000,
    );
    const request = { first: [first], second: [second], options, slice: { from: 1, count: 0 } };
    const step = () => opened.stores.database.read('readComparison', request);
    expect((await step()).isReady).toBe(false);
    await commitResults(opened.stores, second, rows.slice(20_000), 1_000);
    let answer = await step();
    while (!answer.isReady) answer = await step();
    expect(answer).toMatchObject({ rowsEnded: 60_000, counts: { same: 20_000 } });
    answer = await step();
    while (!answer.isReady) answer = await step();
    expect(answer).toMatchObject({ rowsEnded: 80_000, counts: { same: 40_000 } });
  });

  it('a page of an earlier version leaves out rows that have ended since', async () => {
    const rows = [1, 2, 3, 4].map((n) => done(n, { n }, { n }));
    const first = await stored(rows);
    const half = rows.map((row, index): StoredRow => (index < 2 ? row : { ...row, state: undefined }));
    const second = await stored(half.map((row) => ({ ...row, output: { n: -1 } })));
    const { version, ...before } = await compare(first, second);
    expect(before).toMatchObject({ counts: { changed: 2, notCompared: 2 }, there: 2 });
    await commitResults(
      opened.stores,
      second,
      [rows[2], rows[3]].map((row) => ({ ...(row as StoredRow) })),
    );
    const slice = { from: 1, count: 10 };
    const request = { first: [first], second: [second], options, slice };
    expect(await opened.stores.queries.compare({ ...request, version })).toMatchObject({
      version,
      counts: before.counts,
    });
    const now = await opened.stores.queries.compare(request);
    expect(now).toMatchObject({ counts: { changed: 2, same: 2, notCompared: 0 } });
    expect(now.version).not.toBe(version);
    expect((await opened.stores.queries.compare({ ...request, version: 'of another store' })).version).toBe(
      now.version,
    );
  });
});

it('a row that gets its result while the first side is read has that of an older attempt, or none', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  const stores = await openStores(dataDir);
  onTestFinished(() => stores.close());
  await stores.database.write('putSnapshot', 'a'.repeat(64), 'workflow', 'rowbench: 1');
  // More than the first step reads of one side.
  const rows = Array.from({ length: 6_000 }, (_, index) => done(index + 1, { id: index }, { n: index }));
  const half = rows.map((row, index): StoredRow => (index < 3_000 ? row : { ...row, state: undefined }));
  const first = await storeRun(stores, [1, rows], 1_000);
  const second = await storeRun(stores, [2, half], 1_000);
  const older = await storeRun(stores, [3, rows], 1_000);
  const database = await openForReading(join(dataDir, 'rowbench.db'));
  onTestFinished(() => database.close());
  const comparisons = [[second], [older, second]].map((side) =>
    compareSides(new BatchQueries(database), [[first], side], options),
  );
  for (const steps of comparisons) expect(steps.next().done).toBe(false);
  const others = rows.slice(3_000).map((row) => ({ ...row, output: { n: -1 } }));
  await commitResults(stores, second, others, 1_000);
  const [alone, chain] = comparisons.map((steps) => {
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
  });
  expect(alone?.rowsEnded).toBe(9_000);
  expect(alone?.summary().counts).toMatchObject({ same: 3_000, notCompared: 3_000 });
  expect(chain?.rowsEnded).toBe(15_000);
  expect(chain?.summary().counts).toMatchObject({ same: 6_000, notCompared: 0 });
});

/** The rows of all pages. */
async function paged(read: (from: number) => Promise<ComparisonPage>): Promise<ComparedRow[]> {
  const rows: ComparedRow[] = [];
  for (let from = 1; ;) {
    const page = await read(from);
    rows.push(...page.rows);
    if (page.next > page.there) return rows;
    from = page.next;
  }
}

function randomRows(random: () => number): StoredRow[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1).filter(() => random() < 0.8);
  const unfinishedFrom = random() < 0.3 ? Math.floor(random() * numbers.length) : numbers.length;
  return numbers.map((number, index) => {
    const input = { key: pick(['a', 'b', 'c', number]) };
    if (index >= unfinishedFrom) return { number, input, state: undefined };
    if (random() < 0.2) return { number, input, state: 'failed' };
    const score = pick([1, 1.5, 4, null]);
    return done(number, input, { ...input, noise: random(), score, label: pick(['x', 'X', 'y']) });
  });
}

/** The same by the simplest means: every pair is looked for in a list. */
function naiveComparison(before: readonly StoredRow[], after: readonly StoredRow[], by: ComparisonOptions) {
  const counts = Object.fromEntries(pairOutcomes.map((outcome) => [outcome, 0])) as Record<
    PairOutcome,
    number
  >;
  const fields = new Map<string, number>();
  const left = [...after];
  const rules = new Map(by.rules.map((rule) => [rule.name, rule]));
  const keyOf = (row: StoredRow, position: number): unknown => {
    if (by.matching === 'number') return row.number;
    return by.matching === 'position' ? position : row.output?.['key'];
  };
  const positions = new Map(after.map((row, index) => [row, index]));
  for (const [index, row] of before.entries()) {
    const key = keyOf(row, index);
    const at = left.findIndex(
      (other) => key !== undefined && keyOf(other, positions.get(other) ?? -1) === key,
    );
    const [match] = at < 0 ? [] : left.splice(at, 1);
    counts[outcomeOf(row, match)] += 1;
  }
  counts.onlyInSecond = left.length;
  const { changed, newlyFailing, fixed } = counts;
  return { counts, fields, differing: changed + newlyFailing + fixed };

  function outcomeOf(row: StoredRow, match: StoredRow | undefined): PairOutcome {
    if (match === undefined) return 'onlyInFirst';
    if (row.state === 'failed')
      return match.state === 'failed' ? 'bothFailed' : match.state === 'done' ? 'fixed' : 'notCompared';
    if (row.state !== 'done' || match.state === undefined) return 'notCompared';
    if (match.state === 'failed') return 'newlyFailing';
    const changes = changedFields(row.output ?? {}, match.output ?? {}, rules);
    for (const { name } of changes) fields.set(name, (fields.get(name) ?? 0) + 1);
    return changes.length === 0 ? 'same' : 'changed';
  }
}
