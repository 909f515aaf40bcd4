import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import { CallLog, maxBytes, maxCalls } from '../../../../src-main/services/api/call-log.ts';
import { emptyContent, loggedCall } from '../../../builders/logged-call.ts';

const filled = (count: number): CallLog => {
  const log = new CallLog({ log: silentLog });
  for (let n = 0; n < count; n += 1) log.add(loggedCall(), emptyContent);
  return log;
};
const numbers = (log: CallLog, range: Parameters<CallLog['list']>[0]): number[] =>
  log.list(range).map(({ number }) => number);

describe('the log of calls', () => {
  it('numbers calls from 1 on and gives the newest first', () => {
    const log = filled(5);
    expect(numbers(log, { limit: 3 })).toEqual([5, 4, 3]);
    expect(numbers(log, { before: 3, limit: 3 })).toEqual([2, 1]);
    expect(log.newest).toBe(5);
  });

  it('gives a reader that is behind the next ones, so that it comes to the end without a gap', () => {
    const log = filled(10);
    expect(numbers(log, { after: 2, limit: 3 })).toEqual([5, 4, 3]);
    expect(numbers(log, { after: 5, limit: 100 })).toEqual([10, 9, 8, 7, 6]);
    expect(numbers(log, { after: 10, limit: 3 })).toEqual([]);
  });

  it('keeps the last calls alone, and as many bytes as it may', () => {
    const log = filled(maxCalls + 10);
    expect([log.oldest, log.newest]).toEqual([11, maxCalls + 10]);
    expect(log.find(10)).toBeUndefined();
    const answer = { text: 'x'.repeat(20_000), bytes: 20_000, isWhole: true };
    for (let n = 0; n < 1_000; n += 1) {
      log.add(loggedCall(), { ...emptyContent, answer });
      expect(log.bytes).toBeLessThanOrEqual(maxBytes);
    }
    expect(numbers(log, { limit: 1 })).toEqual([maxCalls + 1_010]);
  });

  it('never has gaps, whatever is added and asked for', () => {
    const range = fc.record({
      after: fc.nat(60),
      before: fc.nat(60),
      limit: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.nat(50), range, (count, { after, before, limit }) => {
        const found = numbers(filled(count), { after, before, limit });
        const all = Array.from({ length: count }, (_, n) => count - n).filter((n) => n > after && n < before);
        expect(found).toEqual(after > 0 ? all.slice(-limit) : all.slice(0, limit));
      }),
    );
  });

  it('tells who listens', () => {
    const log = new CallLog({ log: silentLog });
    const heard: number[] = [];
    log.events.listen((number) => heard.push(number));
    log.add(loggedCall(), emptyContent);
    expect(heard).toEqual([1]);
  });
});
