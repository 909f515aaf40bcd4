import { describe, expect, it } from 'vitest';
import { BatchSize } from '../../../src-main/executor/run/batch-size.ts';
import { describeDuration } from '../../../src-main/domain/duration.ts';
import { PausableWaits } from '../../../src-main/executor/run/pausable-waits.ts';
import { retryDelayMs } from '../../../src-main/executor/worker/attempt-runner.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

describe('retryDelayMs', () => {
  it('grows by the backoff from attempt to attempt, to a day at most', () => {
    const retry = { attempts: 20, delayMs: 500, backoff: 2 };
    expect([1, 2, 3].map((attempt) => retryDelayMs(retry, attempt))).toEqual([500, 1000, 2000]);
    expect(retryDelayMs({ ...retry, backoff: 10 }, 19)).toBe(86_400_000);
  });

  it('stays the same without a backoff', () => {
    expect(retryDelayMs({ attempts: 9, delayMs: 70, backoff: 1 }, 8)).toBe(70);
  });
});

describe('describeDuration', () => {
  it.each([
    [250, '250 ms'],
    [5000, '5 s'],
    [1500, '1.5 s'],
  ])('%d reads %s', (ms, text) => {
    expect(describeDuration(ms)).toBe(text);
  });
});

describe('BatchSize', () => {
  const many = 1_000_000;
  const computing = { mayWait: false, reachesOut: false };

  it('is a few rows, however quick, where rows call out', () => {
    const size = new BatchSize({ mayWait: true, reachesOut: true });
    for (let batch = 0; batch < 10; batch += 1) size.recordBatch(4, 1);
    expect(size.nextBatchRows(many, 2)).toBe(4);
  });

  it('is one row where rows may wait, until they turn out to be quick', () => {
    const size = new BatchSize({ mayWait: true, reachesOut: false });
    size.recordBatch(1, 400);
    expect(size.nextBatchRows(many, 2)).toBe(1);
    for (let rows = 1; rows <= 256; rows *= 2) size.recordBatch(rows, 0.1);
    expect(size.nextBatchRows(many, 2)).toBe(256);
  });

  // Rows sent one by one made batches of 128 rows of a second each, and a run showed no progress for seven seconds.
  it('is no larger for single rows that do not wait and end before those that do', () => {
    const size = new BatchSize({ mayWait: true, reachesOut: false });
    for (let row = 0; row < 10; row += 1) size.recordBatch(1, 0.1);
    expect(size.nextBatchRows(many, 2)).toBe(2);
  });

  // 32 rows with 5,000 rules each kept a server silent for 150 ms while it read what they broke.
  it('is a few rows where a test has many rules', () => {
    const fields = Array.from({ length: 5000 }, (_, n) => [`name-${n}`, { notNull: true }] as const);
    const size = new BatchSize({ ...computing, rowChecks: { fields, comparison: null, hasScore: false } });
    for (let batch = 0; batch < 10; batch += 1) size.recordBatch(4, 1);
    expect(size.nextBatchRows(many, 2)).toBe(4);
  });

  it('doubles while batches are quick, to 256 rows', () => {
    const size = new BatchSize(computing);
    for (let rows = 32; rows <= 256; rows *= 2) size.recordBatch(rows, 1);
    expect(size.nextBatchRows(many, 2)).toBe(256);
  });

  it('halves while batches are slow, to one row', () => {
    const size = new BatchSize(computing);
    for (let batch = 0; batch < 10; batch += 1) size.recordBatch(32, 5000);
    expect(size.nextBatchRows(many, 2)).toBe(1);
  });

  it('stays where a batch takes about as long as it should', () => {
    const size = new BatchSize(computing);
    const before = size.nextBatchRows(many, 2);
    size.recordBatch(before, 50);
    expect(size.nextBatchRows(many, 2)).toBe(before);
  });

  const slowRows = (): BatchSize => {
    const size = new BatchSize(computing);
    for (let batch = 0; batch < 10; batch += 1) size.recordBatch(256, 12.8);
    return size;
  };

  it('is half of what each worker has left near the end, while that is worth a batch', () => {
    const size = slowRows();
    const left = [1024, 1023, 400, 161, 100, 1];
    expect(left.map((rows) => size.nextBatchRows(rows, 2))).toEqual([256, 256, 100, 41, 40, 40]);
    expect(size.nextBatchRows(400, 4)).toBe(50);
  });

  it('lets workers with four batches each come to the end at about the same time', () => {
    const size = slowRows();
    const workers = [0, 1].map(() => ({ batches: [] as number[], freeAt: 0 }));
    const rowsOf = ({ batches }: { batches: number[] }): number =>
      batches.reduce((sum, rows) => sum + rows, 0);
    let left = 10_000;
    for (let now = 0; left > 0 || workers.some(({ batches }) => batches.length > 0);) {
      const mayTake = workers.filter(({ batches }) => batches.length < 4);
      const [least] = mayTake.toSorted((one, other) => rowsOf(one) - rowsOf(other));
      if (least !== undefined && left > 0) {
        const rows = Math.min(left, size.nextBatchRows(left, 2));
        if (least.batches.length === 0) least.freeAt = now + rows * 0.05;
        least.batches.push(rows);
        left -= rows;
        continue;
      }
      const [next] = workers
        .filter(({ batches }) => batches.length > 0)
        .toSorted((one, other) => one.freeAt - other.freeAt);
      if (next === undefined) break;
      now = next.freeAt;
      next.batches.shift();
      next.freeAt = now + (next.batches[0] ?? 0) * 0.05;
    }
    const [one = 0, other = 0] = workers.map(({ freeAt }) => freeAt);
    // 256 rows take 12.8 ms.
    expect(Math.abs(one - other)).toBeLessThan(4);
  });

  it('grows no faster for batches that could not be larger', () => {
    const size = new BatchSize(computing);
    for (let batch = 0; batch < 20; batch += 1) size.recordBatch(1, 5);
    expect(size.nextBatchRows(many, 2)).toBe(16);
  });

  it('is not reduced for a single worker', () => {
    expect(slowRows().nextBatchRows(3, 1)).toBe(256);
  });

  it('is not reduced at the end if rows are fast or their time is unknown', () => {
    expect(new BatchSize(computing).nextBatchRows(3, 2)).toBe(32);
    const size = new BatchSize(computing);
    for (let batch = 0; batch < 10; batch += 1) size.recordBatch(256, 0);
    expect(size.nextBatchRows(3, 2)).toBe(256);
  });
});

describe('PausableWaits', () => {
  const fixture = () => {
    const clock = new FakeClock();
    const fired: string[] = [];
    return { clock, fired, waits: new PausableWaits(clock) };
  };

  it('goes on with the time that was left', () => {
    const { clock, fired, waits } = fixture();
    waits.startWait(100, () => fired.push('a'));
    clock.advance(60);
    waits.pause();
    clock.advance(1000);
    waits.resume();
    clock.advance(39);
    expect(fired).toEqual([]);
    clock.advance(1);
    expect(fired).toEqual(['a']);
  });

  it('begun while frozen, begins when thawed', () => {
    const { clock, fired, waits } = fixture();
    waits.pause();
    waits.startWait(10, () => fired.push('a'));
    clock.advance(50);
    waits.resume();
    clock.advance(10);
    expect(fired).toEqual(['a']);
  });

  it('cancelled or cleared, never fires', () => {
    const { clock, fired, waits } = fixture();
    waits.startWait(10, () => fired.push('a'))();
    waits.startWait(10, () => fired.push('b'));
    waits.cancelAll();
    clock.advance(100);
    expect([fired, clock.pending]).toEqual([[], 0]);
  });
});
