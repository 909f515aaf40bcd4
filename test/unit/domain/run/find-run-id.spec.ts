import { expect, it } from 'vitest';
import { findRunId } from '../../../../src-main/domain/run/stored-run.ts';

const one = '019aa001-0000-7000-8000-00000000a1b2';
const other = '019aa001-0000-7000-8000-00000000c3d4';
const ids = [one, other];

it.each([
  ['a1b2', one],
  ['A1B2', one],
  ['00000000c3d4', other],
  [one, one],
])('%s means %s', (text, id) => {
  expect(findRunId(text, ids)).toBe(id);
});

it('the beginning of an id means it when no other begins like that', () => {
  expect(findRunId('019aa001', [one])).toBe(one);
});

it('a piece of several ids is refused, with what it may mean', () => {
  expect(() => findRunId('019aa001', ids)).toThrow(`"019aa001" fits several runs: ${one}, ${other}`);
  expect(() =>
    findRunId(
      '019a',
      Array.from({ length: 7 }, (_, n) => `019a-${n}`),
    ),
  ).toThrow('019a-4 and 2 more');
});

it('a piece of no id is no run', () => {
  expect(() => findRunId('ffff', ids)).toThrow('Workflow run not found');
});

it('a piece of three characters says too little', () => {
  expect(() => findRunId('1b2', ids)).toThrow('at least 4 characters');
});

it('a whole id is left to whoever looks the run up', () => {
  const unknown = '019aa001-0000-7000-8000-00000000ffff';
  expect(findRunId(unknown, ids)).toBe(unknown);
});
