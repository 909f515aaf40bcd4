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

class Shouted extends Array<string> {
  toJSON(): string {
    return this.join('!');
  }
}

it.each([
  [[]],
  [['a', 'b']],
  [['"', '\\', '\u0000', '\ud800', 'é', '']],
  [[1, -0, 0.1, NaN, Infinity, 1e400, true, false]],
  [[null]],
  [[undefined, 'a', () => 1, Symbol('s')]],
  [[{ a: [1] }, ['b'], new Date(0)]],
  [new Array(3)],
  [Object.assign(['a'], { toJSON: () => ['b'] })],
  [Shouted.from(['a', 'b'])],
  [new Proxy(['a', 'b'], {})],
])('an output field holds the list %o as JSON does', (list) => {
  expect(withJson('', Object.freeze(list))).toBe(JSON.stringify(list));
});

it('an output field without a value is null', () => {
  expect(withJson('"a":', undefined)).toBe('"a":null');
});

it('an output field cannot hold a BigInt', () => {
  expect(() => withJson('', 1n)).toThrow('a BigInt');
  expect(() => withJson('', [1n])).toThrow('BigInt');
});
