import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  SlidingMinute,
  minuteMs,
  retryAfterSeconds,
} from '../../../../src-main/domain/limits/sliding-minute.ts';

function windowWith(times: readonly number[]): SlidingMinute {
  const window = new SlidingMinute();
  for (const time of times) window.charge(time);
  return window;
}

describe('a sliding minute', () => {
  it('has room while fewer calls than the limit were charged', () => {
    expect(windowWith([0, 1]).waitFor(3, 2)).toBe(0);
    expect(windowWith([0, 1, 2]).waitFor(3, 2)).toBe(minuteMs - 2);
  });

  it('forgets a call at the age of exactly one minute', () => {
    expect(windowWith([5]).waitFor(1, 5 + minuteMs - 1)).toBe(1);
    expect(windowWith([5]).waitFor(1, 5 + minuteMs)).toBe(0);
  });

  it('waits for as many calls to expire as are too many after the limit was lowered', () => {
    expect(windowWith([0, 10, 20, 30]).waitFor(2, 40)).toBe(20 + minuteMs - 40);
  });

  it('is empty once its last call has expired', () => {
    const window = windowWith([0, 7]);
    expect(window.isEmpty(minuteMs)).toBe(false);
    expect(window.isEmpty(7 + minuteMs)).toBe(true);
  });

  it('counts the calls of the last minute', () => {
    const window = windowWith([0, 10, 20]);
    expect(window.count(minuteMs - 1)).toBe(3);
    expect(window.count(minuteMs)).toBe(2);
    expect(window.count(minuteMs + 20)).toBe(0);
  });

  it('says when the oldest and when the newest call no longer counts', () => {
    const window = windowWith([0, 10, 25]);
    expect(window.expiry(30)).toEqual({ first: minuteMs - 30, all: minuteMs - 5 });
    expect(window.expiry(minuteMs)).toEqual({ first: 10, all: 25 });
    expect(window.expiry(minuteMs + 25)).toEqual({ first: 0, all: 0 });
  });

  it('takes back a refunded call and nothing else', () => {
    const window = windowWith([0, 5, 5]);
    window.refund(5);
    window.refund(99);
    expect(window.waitFor(2, 10)).toBe(minuteMs - 10);
    expect(window.waitFor(3, 10)).toBe(0);
  });

  it('gives nothing back for a call that has expired by then', () => {
    const window = windowWith([0, 10, 20]);
    expect(window.waitFor(3, minuteMs)).toBe(0);
    window.refund(0);
    expect(window.count(minuteMs)).toBe(2);
    // 10 and 20 still count: neither may be counted out, nor one before them in.
    expect(window.waitFor(2, minuteMs)).toBe(10);
    expect(window.waitFor(1, minuteMs)).toBe(20);
    window.refund(10);
    expect(window.expiry(minuteMs)).toEqual({ first: 20, all: 20 });
  });

  it('counts on after it has dropped what has expired', () => {
    const old = Array.from({ length: 100 }, (_, n) => n);
    const window = windowWith([...old, 50_000, 50_001]);
    const now = 99 + minuteMs;
    expect(window.waitFor(2, now)).toBe(50_000 + minuteMs - now);
    expect(window.isEmpty(now)).toBe(false);
    window.charge(now);
    window.refund(50_001);
    expect(window.waitFor(2, now)).toBe(50_000 + minuteMs - now);
    expect(window.waitFor(3, now)).toBe(0);
  });

  it('never lets more calls than the limit into any minute, and a retry after Retry-After is accepted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 25_000 }), { minLength: 1, maxLength: 200 }),
        (limit, pauses) => {
          const window = new SlidingMinute();
          const accepted: number[] = [];
          let now = 0;
          for (const pause of pauses) {
            now += pause;
            const wait = window.waitFor(limit, now);
            if (wait > 0) {
              now += retryAfterSeconds(wait) * 1000;
              expect(window.waitFor(limit, now)).toBe(0);
            }
            window.charge(now);
            accepted.push(now);
          }
          for (const [index, time] of accepted.entries()) {
            const inMinute = accepted.slice(0, index + 1).filter((other) => time - other < minuteMs);
            expect(inMinute.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    [0, 1],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [59_999, 60],
    [60_000, 60],
  ])('is whole seconds, at least one and never too few: %d ms are %d s', (ms, seconds) => {
    expect(retryAfterSeconds(ms)).toBe(seconds);
  });
});
