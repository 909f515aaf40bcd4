import { expect, it } from 'vitest';
import { rowId } from '../../../../src-main/domain/run/row-numbers.ts';

const runId = '0197c0de-0000-7000-8000-00000000000a';

it('counts rows from 1 with six digits', () => {
  expect(rowId(runId, 1)).toBe('00000000000a_000001');
  expect(rowId(runId, 999_999)).toBe('00000000000a_999999');
});

it('stays unique past a million rows', () => {
  expect(rowId(runId, 1_000_000)).toBe('00000000000a_1000000');
});

it('differs between runs', () => {
  expect(rowId('0197c0de-0000-7000-8000-00000000000b', 1)).not.toBe(rowId(runId, 1));
});

it('never looks like an array index, which objects would move to the front', () => {
  expect(rowId(runId, 7)).toMatch(/_/);
});
