import { expect, it } from 'vitest';
import { withJson } from '../../../src-main/executor/worker/plain-value.ts';

it.each([
  ['a'],
  ['"\\\u0000\ud800é'],
  [''],
  [-0],
  [0.1],
  [NaN],
  [Infinity],
  [true],
  [null],
  [[undefined, 'a', () => 1]],
  [{ a: [1, new Date(0)] }],
])('an output field holds %o as JSON does', (value) => {
  expect(withJson('"a":', value)).toBe(`"a":${JSON.stringify(value)}`);
});

it('an output field without a value is null', () => {
  expect(withJson('"a":', undefined)).toBe('"a":null');
});

it('an output field cannot hold a BigInt', () => {
  expect(() => withJson('', 1n)).toThrow('a BigInt');
  expect(() => withJson('', [1n])).toThrow('BigInt');
});
