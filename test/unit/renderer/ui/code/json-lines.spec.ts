import { describe, expect, it } from 'vitest';
import { jsonLines, type JsonLook } from '../../../../../src-renderer/ui/code/json-lines.ts';
import { tableCellText } from '../../../../../src-renderer/ui/code/json-table.ts';

const plain: JsonLook = { turned: new Set(), whole: new Set(), most: 500 };
const texts = (value: unknown, look: Partial<JsonLook> = {}): string[] =>
  jsonLines(value, { ...plain, ...look }).map(
    ({ depth, name, text }) => `${' '.repeat(depth)}${name === undefined ? '' : `${name}: `}${text}`,
  );

it('opens a value and its members, and nothing below', () => {
  expect(texts({ a: 1, b: { c: [true, null] }, d: [] })).toEqual([
    '{',
    ' a: 1',
    ' b: {',
    '  c: [ 2 entries ]',
    ' }',
    ' d: []',
    '}',
  ]);
});

it('has the way to each value', () => {
  const lines = jsonLines({ b: { 'a/b': [1] } }, { ...plain, turned: new Set(['/b/a~1b']) });
  expect(lines.map(({ path }) => path.join(' '))).toEqual(['', 'b', 'b a/b', 'b a/b 0', 'b a/b', 'b', '']);
});

it('unfolds and folds what was turned', () => {
  expect(texts({ b: { c: [1] } }, { turned: new Set(['/b/c']) })).toContain('   0: 1');
  expect(texts({ b: { c: [1] } }, { turned: new Set(['']) })).toEqual(['{ 1 member }']);
});

it('tells members apart whose names hold the signs of a pointer', () => {
  const ids = jsonLines({ 'a/b': {}, a: { b: {} }, 'a~1b': 1, 'a~': {} }, plain).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('cuts a long text and says how long it is, until it is wanted whole', () => {
  const [line] = jsonLines('é'.repeat(1000), plain);
  expect(line).toMatchObject({ kind: 'string', cutOf: 1000 });
  expect(line?.text).toHaveLength(243);
  expect(jsonLines('x'.repeat(1000), { ...plain, whole: new Set(['']) })[0]).toEqual({
    id: '',
    depth: 0,
    path: [],
    kind: 'string',
    text: `"${'x'.repeat(1000)}"`,
  });
});

it('walks no more of a large value than is shown', () => {
  let looked = 0;
  const members = new Proxy(
    {},
    {
      ownKeys: () => Array.from({ length: 10_000 }, (_, n) => `m${n}`),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
      get: () => {
        looked += 1;
        return 1;
      },
    },
  );
  const lines = jsonLines(members, { ...plain, most: 20 });
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)?.kind).toBe('more');
  expect(looked).toBeLessThanOrEqual(21);
});

describe('a value as fields', () => {
  const fields = (value: unknown, look: Partial<JsonLook> = {}): string[] =>
    texts(value, { isFields: true, ...look });

  it('has names with values, without brackets, and without quotes where a text is no other value', () => {
    expect(fields({ a: 'é b', n: '1', e: '', d: '2026-01-01', b: { c: null }, l: [1, [2]] })).toEqual([
      ' a: é b',
      ' n: "1"',
      ' e: ""',
      ' d: 2026-01-01',
      ' b: ',
      '  c: null',
      ' l: ',
      '  0: 1',
      '  1: [ 1 entry ]',
    ]);
    expect(fields('x'.repeat(1000))).toEqual([`${'x'.repeat(240)}…`]);
    expect([fields({}), fields([]), fields(true)]).toEqual([['{}'], ['[]'], ['true']]);
  });

  it('has a list of objects as a table, with the names of all of them as columns', () => {
    const list = [{ a: 1 }, { b: 'x', a: [2] }];
    const look = { ...plain, isFields: true };
    expect(jsonLines(list, look)).toMatchObject([
      { kind: 'table', depth: 0, table: { columns: ['a', 'b'], columnsLeftOut: 0, rows: list } },
    ]);
    expect(jsonLines({ list, mixed: [{}, 1] }, look).map(({ kind }) => kind)).toEqual([
      'table',
      'open',
      'closed',
      'number',
    ]);
    // Regression: a column that only a late row has was left out without a word.
    const late = [...Array.from({ length: 120 }, () => ({ a: 1 })), { error: 'x' }];
    expect(jsonLines(late, look)[0]?.table).toMatchObject({ columns: ['a', 'error'] });
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`c${at}`, at]));
    expect(jsonLines([wide], look)[0]?.table).toMatchObject({ columnsLeftOut: 18 });
  });

  it('ends with a line for more where tables have as many rows as are shown', () => {
    const list = Array.from({ length: 50 }, (_, n) => ({ n }));
    const lines = jsonLines({ one: list, two: list, three: list }, { ...plain, isFields: true, most: 41 });
    expect(lines.map(({ kind }) => kind)).toEqual(['table', 'table', 'more']);
  });
});

it('writes a value into a cell, cut after 80 characters', () => {
  expect([null, true, 'a', '1', { a: 1 }, '{"a":1}', '[]', '"5"'].map(tableCellText)).toEqual([
    'null',
    'true',
    'a',
    '"1"',
    '{"a":1}',
    '"{\\"a\\":1}"',
    '"[]"',
    '"\\"5\\""',
  ]);
  expect(tableCellText('x'.repeat(100))).toBe(`${'x'.repeat(80)}…`);
});
