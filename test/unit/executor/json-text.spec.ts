import { expect, it } from 'vitest';
import { withJson } from '../../../src-main/executor/worker/plain-value.ts';

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
])('writes the list %o as JSON does', (list) => {
  expect(withJson('', Object.freeze(list))).toBe(JSON.stringify(list));
});

it('refuses what JSON cannot carry, in a list too', () => {
  expect(() => withJson('', 1n)).toThrow('a BigInt');
  expect(() => withJson('', [1n])).toThrow('BigInt');
});
