// The port of questions over all rows of runs: pages of filtered, sorted and grouped rows.
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-main/base/json-value.ts';
import { causeOf } from '../../../src-main/domain/results/failure-causes.ts';
import type { Column } from '../../../src-main/domain/query/column.ts';
import { allRows, type Condition, type RowSelection } from '../../../src-main/domain/query/row-selection.ts';
import type { StoredTableRequest, TablePage } from '../../../src-main/domain/query/table-page.ts';
import { commitResults, done, hostileNames, type StoredRow } from '../../builders/rows-with-results.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { backends } from '../../builders/store-backends.ts';
import { runIdOf } from '../../builders/stored-rows.ts';

type Page = Extract<TablePage, { isReady: true }>;

const deep = (levels: number): JsonValue =>
  JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as JsonValue;

describe.each(backends)('selected rows of runs in %s', (_, create) => {
  const opened = queriedStores(create);
  const stored = (rows: readonly StoredRow[], rowsInCommit?: number): Promise<string> =>
    opened.store(rows, { rowsInCommit });

  /** The page, once it is ready. */
  async function select(
    runId: string,
    selection: Partial<RowSelection>,
    request: Partial<StoredTableRequest> = {},
  ): Promise<Page> {
    for (;;) {
      const page = await opened.stores.queries.select([runId], {
        selection: { ...allRows, ...selection },
        from: 1,
        count: 500,
        ...request,
      });
      if (page.isReady) return page;
    }
  }

  const positionsOf = ({ rows }: Page): number[] => rows.map(({ position }) => position);
  const where = (name: string, test: Extract<Condition, { of: 'column' }>['test']): Condition => ({
    of: 'column',
    column: { of: 'input', name },
    test,
  });
  const column = (name: string): Column => ({ of: 'input', name });
  const storeValues = (values: readonly (JsonValue | undefined)[]): Promise<string> =>
    stored(values.map((v, index) => done(index + 1, v === undefined ? {} : { v }, {})));

  it('all rows are listed by position, also those that have not run yet', async () => {
    const runId = await stored([
      done(1, { a: 1 }, { b: 'x' }),
      { number: 2, input: {}, state: 'failed', failure: { nodeId: 'check', message: 'no email' } },
      { number: 3, input: { a: null }, state: 'unfinished' },
      { number: 4, input: { a: [] }, state: undefined },
    ]);
    expect(await select(runId, {})).toEqual({
      isReady: true,
      total: 4,
      there: 3,
      leftOut: 0,
      next: 5,
      rows: [
        {
          position: 1,
          row: 1,
          state: 'done',
          ms: 0.001,
          input: [{ name: 'a', kind: 'number', text: '1' }],
          output: [{ name: 'b', kind: 'text', text: 'x' }],
          bytes: 16,
        },
        {
          position: 2,
          row: 2,
          state: 'failed',
          ms: 0.001,
          input: [],
          output: [],
          failure: { nodeId: 'check', message: 'no email' },
          bytes: 2,
        },
        {
          position: 3,
          row: 3,
          state: 'unfinished',
          ms: 0.001,
          input: [{ name: 'a', kind: 'null', text: 'null' }],
          output: [],
          bytes: 10,
        },
        { position: 4, row: 4, input: [{ name: 'a', kind: 'list', text: '[]' }], output: [], bytes: 8 },
      ],
    });
    expect(positionsOf(await select(runId, {}, { from: 3, count: 1 }))).toEqual([3]);
    expect(await select(runId, {}, { from: 5 })).toMatchObject({ rows: [], next: 5, total: 4 });
  });

  it('numbers, texts, other values and missing ones are sorted apart, in either direction', async () => {
    const values = [
      'b',
      10,
      undefined,
      true,
      'Éa',
      9.5,
      null,
      'eb',
      [1],
      -3,
      '',
      'B',
      { a: 1 },
      -0,
      0,
      '10',
      '9',
    ];
    const runId = await storeValues(values);
    const sorted = async (descending: boolean) =>
      positionsOf(await select(runId, { sort: { column: column('v'), descending } })).map(
        (position) => values[position - 1],
      );
    const [texts, numbers] = [
      ['', '10', '9', 'b', 'B', 'Éa', 'eb'],
      [-3, -0, 0, 9.5, 10],
    ];
    const others = [[1], true, { a: 1 }];
    expect(await sorted(false)).toEqual([...numbers, ...texts, ...others, undefined, null]);
    expect(await sorted(true)).toEqual(
      [
        [10, 9.5, -0, 0, -3],
        ['eb', 'Éa', 'b', 'B', '9', '10', ''],
        others.toReversed(),
        [undefined, null],
      ].flat(),
    );
  });

  it('groups come by frequency, each with its value, rows and index', async () => {
    const runId = await storeValues([
      'a',
      undefined,
      1,
      'b',
      'a',
      '1',
      undefined,
      'b',
      'a',
      undefined,
      undefined,
    ]);
    const { groups, ...page } = await select(runId, { groupBy: column('v') });
    expect(groups).toEqual([
      { value: { kind: 'text', text: 'a' }, rows: 3, from: 1 },
      { value: { kind: 'text', text: 'b' }, rows: 2, from: 4 },
      { value: { kind: 'number', text: '1' }, rows: 1, from: 6 },
      { value: { kind: 'text', text: '1' }, rows: 1, from: 7 },
      { rows: 4, from: 8 },
    ]);
    expect(positionsOf({ ...page })).toEqual([1, 5, 9, 4, 8, 3, 6, 2, 7, 10, 11]);
  });

  it('only the most frequent 1,000 groups are described', async () => {
    const runId = await stored(
      Array.from({ length: 3_000 }, (__, index) => done(index + 1, { v: index < 1_500 ? index : 'x' }, {})),
      500,
    );
    const { groups = [], total } = await select(runId, { groupBy: column('v') }, { count: 1 });
    expect(total).toBe(3_000);
    expect(groups).toHaveLength(1_000);
    expect(groups[0]).toEqual({ value: { kind: 'text', text: 'x' }, rows: 1_500, from: 1 });
    expect(groups[999]).toEqual({ value: { kind: 'number', text: '998' }, rows: 1, from: 2_499 });
  });

  it('a row of a chain that no attempt has run is unfinished', async () => {
    const first = await opened.store([
      done(1, {}, {}),
      { number: 2, input: {}, state: 'failed' },
      { number: 3, input: {}, state: undefined },
    ]);
    const second = await opened.store([{ number: 2, input: {}, state: undefined }]);
    const selection = { conditions: [{ of: 'state', states: ['failed', 'unfinished'] }] } as const;
    const request = { selection, from: 1, count: 10 };
    const page = await opened.stores.queries.selectNumbers([first, second], request);
    expect(page).toMatchObject({ isReady: true, numbers: Uint32Array.of(2, 3) });
  });

  it('rows are sorted by state: done, failed, unfinished', async () => {
    const states = ['failed', 'done', 'unfinished', 'done', 'failed'] as const;
    const runId = await stored(states.map((state, index) => ({ number: index + 1, input: {}, state })));
    const sort = { column: 'state', descending: false } as const;
    expect(positionsOf(await select(runId, { sort }))).toEqual([2, 4, 1, 5, 3]);
    expect(positionsOf(await select(runId, { sort: { ...sort, descending: true } }))).toEqual([
      3, 1, 5, 2, 4,
    ]);
    expect(
      positionsOf(await select(runId, { conditions: [{ of: 'state', states: ['failed', 'unfinished'] }] })),
    ).toEqual([1, 3, 5]);
  });

  it('rows are found by the node and the cause of their failure, by their numbers in a rerun', async () => {
    const failed = (number: number, nodeId: string, message: string): StoredRow => ({
      number,
      input: {},
      state: 'failed',
      failure: { nodeId, message },
    });
    const runId = await stored(
      [
        failed(3, 'fetch', 'no answer after 30 s from user 17'),
        done(5, {}, {}),
        failed(20, 'check', 'no email'),
        failed(21, 'fetch', 'no answer after 30 s from user 18'),
        failed(40, 'fetch', 'refused'),
      ],
      2,
    );
    const cause = { of: 'cause', nodeId: 'fetch' } as const;
    const found = await select(runId, { conditions: [cause] });
    expect(found.rows.map(({ row }) => row)).toEqual([3, 21, 40]);
    expect(found.rows[2]?.failure).toEqual({ nodeId: 'fetch', message: 'refused' });
    const message = 'no answer after 30 s from user 99';
    expect(causeOf(message)).toBe(causeOf('no answer after 30 s from user 17'));
    expect(positionsOf(await select(runId, { conditions: [{ ...cause, message }] }))).toEqual([1, 4]);
  });

  it.each(hostileNames)('a condition finds a column by its exact name: %j', async (name) => {
    const row = JSON.parse(
      `{${JSON.stringify(name)}:"found","other":"wrong","a":{"b":"wrong"}}`,
    ) as JsonObject;
    const runId = await stored([done(1, row, row), done(2, { other: 'found' }, {})]);
    for (const of of ['input', 'output'] as const)
      for (const test of [
        { is: 'equals', value: 'found' },
        { is: 'contains', text: 'OUN' },
        { is: 'notEmpty' },
      ] as const) {
        const conditions = [{ of: 'column', column: { of, name }, test }] as const;
        expect(positionsOf(await select(runId, { conditions }))).toEqual([1]);
      }
    const conditions = [where('toString', { is: 'notEmpty' })];
    expect(await select(runId, { conditions })).toMatchObject({ total: 0, there: 2 });
  });

  it('a text is found however the client wrote it', async () => {
    const runId = await stored([
      done(1, {}, {}),
      done(2, { v: 'Straße/7' }, {}),
      done(3, {}, { list: ['x', { deep: 'STRASSE, Straße/7' }] }),
      done(4, { 'straße/7': 1 }, {}),
    ]);
    const conditions = [{ of: 'text', text: 'STRAßE/7' }] as const;
    expect(positionsOf(await select(runId, { conditions }))).toEqual([2, 3]);
  });

  it('rows that are too large are left out of conditions, counted, and listed without one', async () => {
    const large = 'x'.repeat(2_000_000);
    const runId = await stored(
      [done(1, { v: 1 }, { large }), done(2, { v: 2, large }, {}), done(3, { v: 3 }, { large: 'x' })],
      1,
    );
    const isLarge = {
      of: 'column',
      column: { of: 'output', name: 'large' },
      test: { is: 'contains', text: 'x' },
    } as const;
    expect(await select(runId, { conditions: [isLarge] })).toMatchObject({ total: 1, leftOut: 1, there: 3 });
    const conditions = [isLarge, where('v', { is: 'between', min: 2 })];
    expect(await select(runId, { conditions })).toMatchObject({ total: 1, leftOut: 0 });
    const { rows } = await select(runId, { sort: { column: column('v'), descending: true } });
    expect(rows.map(({ position, isLarge: is = false }) => [position, is])).toEqual([
      [3, false],
      [1, true],
      [2, true],
    ]);
    expect((await select(runId, {})).rows).toHaveLength(3);
  });

  it('a filter of a running run grows, and a sorted view stays as of the rows that it began with', async () => {
    const rows = Array.from({ length: 30 }, (__, index) => done(index + 1, { v: 30 - index }, {}));
    const runId = await stored(rows.map((row) => ({ ...row, state: undefined })));
    const conditions = [where('v', { is: 'between', max: 25 })];
    const sort = { column: column('v'), descending: false };
    expect(await select(runId, { conditions })).toMatchObject({ total: 0, there: 0 });
    await commitResults(opened.stores, runId, rows.slice(0, 10));
    expect(await select(runId, { conditions })).toMatchObject({ total: 5, there: 10 });
    const before = await select(runId, { sort });
    expect(before).toMatchObject({ total: 10, there: 10 });
    await commitResults(opened.stores, runId, rows.slice(10));
    expect(positionsOf(await select(runId, { conditions }))).toEqual(
      rows.slice(5).map(({ number }) => number),
    );
    expect(await select(runId, { sort }, { asOf: before.there })).toEqual(before);
    expect((await select(runId, { sort }, { asOf: 30, count: 1 })).rows).toMatchObject([{ position: 30 }]);
    expect((await select(runId, { sort }, { count: 1 })).rows).toMatchObject([{ position: 30 }]);
  });

  it('a long run is read in steps that say how far they are, and a page of it then reads its rows only', async () => {
    const text = 'x'.repeat(500);
    const rows = Array.from({ length: 20_000 }, (__, index) =>
      done(index + 1, { v: index % 1_000, text }, {}),
    );
    const runId = await stored(rows, 1_000);
    const selection = { ...allRows, sort: { column: column('v'), descending: false } };
    const first = await opened.stores.database.read('readTable', [runId], { selection, from: 1, count: 10 });
    expect(first).toMatchObject({ isReady: false, rows: 20_000 });
    expect('rowsRead' in first && first.rowsRead).toBeGreaterThan(0);
    const page = await select(runId, selection, { from: 19_999 });
    expect(positionsOf(page)).toEqual([19_000, 20_000]);
    const next = await opened.stores.queries.select([runId], { selection, from: 19_999, count: 500 });
    expect(next).toEqual(page);
  });

  it('pages of large rows are cut, and go on where they end', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 60 }, (__, index) => [`f${index}`, 'x'.repeat(200)]),
    );
    const rows = Array.from({ length: 100 }, (__, index) =>
      done(index + 1, { ...fields, v: -index }, fields),
    );
    const runId = await stored(rows);
    const sort = { column: column('v'), descending: false };
    const found: number[] = [];
    for (let from = 1; from <= 100;) {
      const page = await select(runId, { sort }, { from });
      expect(page.rows.length).toBeLessThan(100);
      found.push(...positionsOf(page));
      from = page.next;
    }
    expect(found).toEqual(rows.map(({ number }) => number).toReversed());
  });

  it('a value nested 1,000 levels deep is compared as any other', async () => {
    const runId = await storeValues([deep(999), deep(998), 1]);
    const equals = (value: JsonValue) => ({ conditions: [where('v', { is: 'equals', value })] });
    expect(positionsOf(await select(runId, equals(deep(999))))).toEqual([1]);
    expect(positionsOf(await select(runId, equals(deep(998))))).toEqual([2]);
  });

  it('a run that does not exist is not found', async () => {
    await expect(select(runIdOf(0), {})).rejects.toMatchObject({ code: 'run_not_found' });
    const conditions = [where('v', { is: 'empty' })];
    await expect(select(runIdOf(0), { conditions })).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it(
    'random selections of random rows are those that an independent implementation finds',
    { timeout: 60_000 },
    async () => {
      const random = seededRandom(11);
      for (let run = 0; run < 6; run += 1) {
        const rows = randomRows(random);
        const runId = await stored(rows, 1 + Math.floor(random() * 30));
        for (let trial = 0; trial < 25; trial += 1) {
          const selection = randomSelection(random);
          const page = await select(runId, selection);
          expect(positionsOf(page), JSON.stringify({ run, selection })).toEqual(
            naiveSelection(rows, selection),
          );
          expect(page).toMatchObject({ total: page.rows.length, next: page.rows.length + 1, leftOut: 0 });
          for (const { position, row, state } of page.rows)
            expect(rows[position - 1]).toMatchObject({ number: row, state });
        }
      }
    },
  );
});

const values: readonly (JsonValue | undefined)[] = [
  undefined, null, '', 'a', 'A', 'ab', '"quoted"', 'a\\b', '\u0000', '\ud800', 'x\ud83d\ude00', '1', 1, 1.5, -0, 0, 1e21,
  2 ** 53, 2 ** 53 + 2, true, false, [], [1], ['a', 'b'], {}, { a: 1, b: [2] }, { b: [2], a: 1 }, deep(50), 'null', '{"a":1',
]; // prettier-ignore
const texts = ['a', 'B', '"', '\\', '1', 'null', '{"a":1', 'e+2', '😀', '\u0000', ',"b"', 'tru'];
const names = ['plain', '$.a', '"', '', '\u0000', '__proto__', '[0]'];

const picker =
  (random: () => number) =>
  <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T;

function randomRows(random: () => number): StoredRow[] {
  const pick = picker(random);
  const object = (): JsonObject => {
    const entries = names.map((name) => [name, pick(values)] as const);
    return JSON.parse(
      `{${entries
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
        .join(',')}}`,
    ) as JsonObject;
  };
  const isRerun = random() < 0.3;
  const failures = ['no email', 'user 17 is unknown', 'user 18 is unknown'].flatMap((message) =>
    ['check', 'fetch'].map((nodeId) => ({ nodeId, message })),
  );
  return Array.from({ length: 40 + Math.floor(random() * 60) }, (_, index) => {
    const number = isRerun ? 3 * index + 2 : index + 1;
    const took = { ms: pick([1, 2, 5, 40]), retries: pick([0, 0, 0, 2]) };
    if (random() < 0.7) return { ...done(number, object(), object()), ...took };
    if (random() < 0.2) return { number, input: object(), state: 'unfinished' };
    return { number, input: object(), state: 'failed', failure: pick(failures), ...took };
  });
}

function randomSelection(random: () => number): RowSelection {
  const pick = picker(random);
  const column = (): Column => ({ of: pick(['input', 'output']), name: pick(names) });
  const value = (): JsonValue => pick(values) ?? null;
  const bound = (): number | string | undefined => pick([undefined, 0, 1, 2 ** 53, '', 'a', 'b']);
  const condition = (): Condition => {
    if (random() < 0.1) return { of: 'rows', numbers: [2, 5, 8, 11], isExcluded: random() < 0.5 };
    if (random() < 0.1)
      return { of: 'took', minMs: pick([undefined, 2, 5]), maxMs: pick([undefined, 5, 39]) };
    if (random() < 0.05) return { of: 'retried' };
    if (random() < 0.15) return { of: 'text', text: pick(texts) };
    if (random() < 0.15)
      return { of: 'state', states: pick([['done'], ['failed'], ['failed', 'unfinished']]) };
    if (random() < 0.1)
      return {
        of: 'cause',
        nodeId: pick(['check', 'fetch']),
        message: pick([undefined, 'user 9 is unknown']),
      };
    const tests: Extract<Condition, { of: 'column' }>['test'][] = [
      { is: 'equals', value: value() },
      { is: 'notEquals', value: value() },
      { is: 'oneOf', values: [value(), value(), value()] },
      { is: 'contains', text: pick(texts) },
      { is: 'empty' },
      { is: 'notEmpty' },
      { is: 'between', min: bound(), max: bound(), isMaxExcluded: random() < 0.5 },
    ];
    return { of: 'column', column: column(), test: pick(tests) };
  };
  return {
    conditions: Array.from({ length: pick([0, 1, 1, 2, 3]) }, condition),
    ...(random() < 0.5
      ? { sort: { column: pick(['state', 'took', column()]), descending: random() < 0.5 } }
      : {}),
    ...(random() < 0.3 ? { groupBy: column() } : {}),
  };
}

/** The same by the simplest means. */
function naiveSelection(rows: readonly StoredRow[], selection: RowSelection): number[] {
  const { conditions, sort, groupBy } = selection;
  let found = rows.filter((row) => conditions.every((condition) => fulfils(row, condition)));
  if (sort !== undefined) {
    const keyOf = (row: StoredRow) => {
      if (sort.column === 'took') return sortKey(msOf(row));
      return sort.column === 'state' ? stateRank(row) : sortKey(fieldOf(row, sort.column));
    };
    found = found.toSorted((one, other) => {
      const [a, b] = [keyOf(one), keyOf(other)];
      if (a[0] !== b[0]) return a[0] - b[0];
      return (sort.descending ? -1 : 1) * (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
    });
  }
  const groups = new Map<string | undefined, StoredRow[]>();
  for (const row of found) {
    const value = groupBy && fieldOf(row, groupBy);
    const key = value === undefined ? undefined : JSON.stringify(value);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const positionOf = (row: StoredRow): number => rows.indexOf(row) + 1;
  return [...groups]
    .toSorted(
      ([oneKey, one], [otherKey, other]) =>
        Number(oneKey === undefined) - Number(otherKey === undefined) ||
        other.length - one.length ||
        Math.min(...one.map(positionOf)) - Math.min(...other.map(positionOf)),
    )
    .flatMap(([, group]) => group.map(positionOf));
}

const msOf = ({ ms = 0.001 }: StoredRow): number => ms;

const stateRank = ({ state = 'done' }: StoredRow): [number, number] => [
  0,
  ['done', 'failed', 'unfinished'].indexOf(state),
];

function sortKey(value: JsonValue | undefined): [number, number | string] {
  if (typeof value === 'number') return [0, value];
  if (value === undefined || value === null) return [3, 0];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const folded = text.slice(0, 50).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return [typeof value === 'string' ? 1 : 2, folded.slice(0, 50)];
}

function fieldOf(row: StoredRow, { of, name }: Column): JsonValue | undefined {
  const object = of === 'input' ? row.input : row.output;
  return new Map(Object.entries(object ?? {})).get(name);
}

function fulfils(row: StoredRow, condition: Condition): boolean {
  switch (condition.of) {
    case 'state':
      return row.state !== undefined && condition.states.includes(row.state);
    case 'cause': {
      const { nodeId, message } = condition;
      if (row.failure?.nodeId !== nodeId) return false;
      return message === undefined || causeOf(message) === causeOf(row.failure.message);
    }
    case 'took': {
      const { minMs = 0, maxMs = Infinity } = condition;
      return msOf(row) >= minMs && msOf(row) <= maxMs;
    }
    case 'retried':
      return (row.retries ?? 0) > 0;
    case 'node':
      throw new Error('conditions on nodes are in node-cells.spec.ts');
    case 'rows':
      return condition.numbers.includes(row.number) !== condition.isExcluded;
    case 'text':
      return [...Object.values(row.input), ...Object.values(row.output ?? {})].some((value) =>
        hasText(value, condition.text),
      );
    case 'column':
      return passes(fieldOf(row, condition.column), condition.test);
  }
}

const hasText = (value: JsonValue | undefined, text: string): boolean =>
  value !== undefined &&
  (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase().includes(text.toLowerCase());

/** JSON with the keys of objects in order. */
const canonical = (value: JsonValue | undefined): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

function passes(value: JsonValue | undefined, test: Extract<Condition, { of: 'column' }>['test']): boolean {
  switch (test.is) {
    case 'equals':
      return canonical(value) === canonical(test.value);
    case 'notEquals':
      return canonical(value) !== canonical(test.value);
    case 'oneOf':
      return test.values.some((one) => canonical(value) === canonical(one));
    case 'contains':
      return hasText(value, test.text);
    case 'empty':
      return value === undefined || value === null || value === '';
    case 'notEmpty':
      return value !== undefined && value !== null && value !== '';
    case 'between':
      return (
        ['number', 'string'].includes(typeof value) &&
        [test.min, test.max].every((bound) => bound === undefined || typeof bound === typeof value) &&
        (test.min === undefined || value! >= test.min) &&
        (test.max === undefined || value! < test.max || (value === test.max && test.isMaxExcluded !== true))
      );
  }
}
