import { expect, it } from 'vitest';
import { BatchSource } from '../../../src-main/executor/run/batch-source.ts';
import { MemoryReader } from '../../builders/execution-rig.ts';

/** Ten rows of which the first three are committed. */
const sourceOf = (...breakpoints: readonly number[]): BatchSource => {
  const rows = Array.from({ length: 10 }, (_, n) => ({ n }));
  return new BatchSource(new MemoryReader(rows, 4), { firstRow: 4, breakpoints });
};

it('reads no row after a stop before it is passed', async () => {
  const source = sourceOf(7, 5);
  expect(await source.nextBatch(256)).toMatchObject({ firstRow: 4, rows: 2 });
  expect([source.isAtBreakpoint, source.hasRowsBefore(Infinity), source.isEmpty]).toEqual([
    true,
    false,
    false,
  ]);
  source.passBreakpoints(4);
  expect(source.isAtBreakpoint).toBe(true);
  source.passBreakpoints(5);
  expect([source.isAtBreakpoint, source.hasRowsBefore(Infinity)]).toEqual([false, true]);
  expect(await source.nextBatch(256)).toMatchObject({ firstRow: 6, rows: 2 });
  source.passBreakpoints(7);
  expect(await source.nextBatch(256)).toMatchObject({ firstRow: 8, rows: 3 });
});

it('hands rows that must run again out at a stop too', async () => {
  const source = sourceOf(5);
  const work = await source.nextBatch(256);
  source.requeue(work === undefined ? [] : [work]);
  expect([source.isAtBreakpoint, source.hasRowsBefore(Infinity)]).toEqual([true, true]);
  expect(await source.nextBatch(256)).toBe(work);
});

it('knows no stop among rows that are committed already', async () => {
  const source = sourceOf(3, 1);
  expect(source.isAtBreakpoint).toBe(false);
  expect(await source.nextBatch(256)).toMatchObject({ firstRow: 4, rows: 7 });
});
