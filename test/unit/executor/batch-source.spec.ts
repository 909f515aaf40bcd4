import { expect, it } from 'vitest';
import { BatchSource } from '../../../src-main/executor/run/batch-source.ts';
import { MemoryReader } from '../../builders/execution-rig.ts';

/** Ten rows of which the first three are committed. */
const sourceOf = (...breakpoints: readonly number[]): BatchSource => {
  const rows = Array.from({ length: 10 }, (_, n) => ({ n }));
  return new BatchSource(new MemoryReader(rows, 4), { firstRow: 4, breakpoints });
};

it('a batch source reads no row after a breakpoint before it is passed', async () => {
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

it('a batch source returns requeued rows at a breakpoint', async () => {
  const source = sourceOf(5);
  const work = await source.nextBatch(256);
  source.requeue(work === undefined ? [] : [work]);
  expect([source.isAtBreakpoint, source.hasRowsBefore(Infinity)]).toEqual([true, true]);
  expect(await source.nextBatch(256)).toBe(work);
});

it('a breakpoint among committed rows is ignored', async () => {
  const source = sourceOf(3, 1);
  expect(source.isAtBreakpoint).toBe(false);
  expect(await source.nextBatch(256)).toMatchObject({ firstRow: 4, rows: 7 });
});
