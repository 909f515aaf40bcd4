import { expect, it } from 'vitest';
import { jsonLines, type JsonLook } from '../../../../../src-renderer/ui/code/json-lines.ts';

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
