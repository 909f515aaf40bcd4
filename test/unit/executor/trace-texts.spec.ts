import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatLogged } from '../../../src-main/executor/worker/format-logged.ts';
import { jsonWithin } from '../../../src-main/executor/worker/trace-line.ts';
import { SlowRows } from '../../../src-main/executor/worker/row-runner.ts';

/** Anything, with getters that throw and proxies that refuse here and there. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true }),
    tie('value').map((value) => ({
      get a(): unknown {
        throw value;
      },
      b: value,
    })),
    tie('value').map((value) => new Proxy({ value }, { get: () => value })),
    fc.constant(new Proxy({}, { ownKeys: () => invariantBroken() })),
  ),
})).value;

const invariantBroken = (): never => {
  throw new TypeError('refused');
};

it('a line of the log is a text of bounded length, whatever is logged', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 5 }), (values) => {
      const text = formatLogged(values);
      expect(typeof text).toBe('string');
      expect(text.length).toBeLessThanOrEqual(8193);
    }),
    { numRuns: 500 },
  );
});

it('texts are logged as they are, other values much like JSON', () => {
  const values = ['a "b"', 1, -0, null, undefined, [1, 'x', [true]], { a: { b: 'c' } }, new Error('e'), 5n];
  expect(formatLogged(values)).toBe('a "b" 1 -0 null undefined [1,"x",[true]] {"a":{"b":"c"}} Error: e 5n');
});

it('a small value is kept as its JSON, of a large one its beginning', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 400 }), (value, most) => {
      const json = JSON.stringify(value);
      const { text, isCut } = jsonWithin(value, most);
      expect(isCut).toBe(Buffer.byteLength(json) > most);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(
        Math.max(most, isCut ? 0 : Buffer.byteLength(json)),
      );
      if (!isCut) expect(text).toBe(json);
    }),
    { numRuns: 1000 },
  );
});

it('a row is slow beyond a second at once, and beyond the 99th of a hundred once a thousand are known', () => {
  const slow = new SlowRows();
  expect([slow.recordDuration(1_000_001), slow.recordDuration(900_000)]).toEqual([true, false]);
  for (let row = 0; row < 2000; row += 1) slow.recordDuration(20_000);
  expect([slow.recordDuration(20_000), slow.recordDuration(30_000)]).toEqual([false, true]);
  const quick = new SlowRows();
  for (let row = 0; row < 2000; row += 1) quick.recordDuration(50);
  expect([quick.recordDuration(9000), quick.recordDuration(11_500)]).toEqual([false, true]);
});
