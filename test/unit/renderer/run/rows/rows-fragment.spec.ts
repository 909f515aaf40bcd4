import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  testedEnds,
  type Condition,
  type RowSelection,
  type ValueTest,
} from '../../../../../src-main/contract/index.ts';
import {
  isOfAttempt,
  parseRowsFragment,
  rowsFragment,
} from '../../../../../src-renderer/state/run/rows/rows-fragment.ts';

const text = fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme' });
const column = fc.record({ of: fc.constantFrom('input' as const, 'output' as const), name: text });
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()));
const valueTest: fc.Arbitrary<ValueTest> = fc.oneof(
  fc.record({ is: fc.constantFrom('equals' as const, 'notEquals' as const), value }),
  fc.record({ is: fc.constant('oneOf' as const), values: fc.array(value, { minLength: 1, maxLength: 5 }) }),
  fc.record({ is: fc.constant('contains' as const), text }),
  fc.record({ is: fc.constantFrom('empty' as const, 'notEmpty' as const) }),
  fc.record({ is: fc.constant('between' as const), min: fc.integer(), max: fc.oneof(fc.integer(), text) }),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ of: fc.constant('column' as const), column, test: valueTest }),
  fc.record({
    of: fc.constant('state' as const),
    states: fc.subarray(['done', 'failed', 'unfinished'] as const, { minLength: 1 }),
  }),
  fc.record({ of: fc.constant('cause' as const), nodeId: text, message: text }),
  fc.record({ of: fc.constant('text' as const), text }),
  fc.record({ of: fc.constant('took' as const), minMs: fc.nat(), maxMs: fc.nat() }),
  fc.record({ of: fc.constant('retried' as const) }),
  fc.record(
    {
      of: fc.constant('node' as const),
      nodeId: text,
      ends: fc.subarray([...testedEnds], { minLength: 1 }),
    },
    { requiredKeys: ['of', 'ends'] },
  ),
);
const selection: fc.Arbitrary<RowSelection> = fc.record(
  {
    conditions: fc.array(condition, { maxLength: 5 }),
    sort: fc.record({
      column: fc.oneof(column, fc.constantFrom('state' as const, 'took' as const)),
      descending: fc.boolean(),
    }),
    groupBy: column,
  },
  { requiredKeys: ['conditions'] },
);

describe('the fragment of the Rows tab', () => {
  it('is parsed back from its own text', () => {
    fc.assert(
      fc.property(selection, fc.boolean(), (view, isAttempt) => {
        const url = new URL(`http://127.0.0.1/runs/1/rows#${rowsFragment(view, isAttempt)}`);
        expect(parseRowsFragment(url.hash.slice(1))).toEqual(view);
        expect(isOfAttempt(url.hash.slice(1))).toBe(isAttempt);
      }),
    );
  });

  it('is empty for all rows in the order of the run', () => {
    expect(rowsFragment({ conditions: [] }, false)).toBe('');
    expect(parseRowsFragment(undefined)).toEqual({ conditions: [] });
  });

  it.each([
    'where=%7B',
    'where=null',
    'where={"of":"took"}',
    'where={"of":"took","minMs":-1}',
    'where={"of":"node","nodeId":"a","ends":["lost"]}',
    'where=[]',
    'where={"of":"nonsense"}',
    'where={"of":"column","column":{"of":"node","name":"a"},"test":{"is":"empty"}}',
    'where={"of":"column","column":{"of":"input","name":"a"},"test":{"is":"between"}}',
    'where={"of":"column","column":{"of":"input","name":"a"},"test":{"is":"equals"}}',
    'where={"of":"state","states":["nonsense"]}',
    'where={"of":"text","text":""}',
    'sort=nonsense',
    'sort=-',
    'group=state',
  ])('drops the part %s, which is invalid', (fragment) => {
    expect(parseRowsFragment(fragment)).toEqual({ conditions: [] });
  });

  it('keeps valid parts beside invalid ones', () => {
    expect(parseRowsFragment('where=%7B&sort=-output.score&group=x&where={"of":"text","text":"a"}')).toEqual({
      conditions: [{ of: 'text', text: 'a' }],
      sort: { column: { of: 'output', name: 'score' }, descending: true },
    });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (fragment) => void parseRowsFragment(fragment)));
    fc.assert(fc.property(fc.json(), (json) => void parseRowsFragment(`where=${encodeURIComponent(json)}`)));
  });
});
