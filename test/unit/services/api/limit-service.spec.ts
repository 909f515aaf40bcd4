import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-main/base/app-error.ts';
import type { LimitMode } from '../../../../src-main/domain/settings.ts';
import { LimitService, type CallTarget } from '../../../../src-main/services/api/limit-service.ts';
import { MemoryLimitWindows } from '../../../../src-main/services/api/limit-windows.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';

const trigger = (keyId = 'k', resourceId = 'w'): CallTarget => ({ operation: 'trigger', keyId, resourceId });
const output = (keyId = 'k', resourceId = 'r'): CallTarget => ({ operation: 'output', keyId, resourceId });
const status = (keyId = 'k', resourceId = 'r'): CallTarget => ({ operation: 'status', keyId, resourceId });

function setUp(mode: LimitMode = 'published') {
  const clock = new FakeClock();
  const current = { mode };
  const windows = new MemoryLimitWindows(clock);
  const limits = new LimitService({ windows, mode: () => current.mode });
  /** One whole call, as a route makes it; the error when it is refused. */
  const call = async (target: CallTarget): Promise<AppError | undefined> => {
    try {
      await (await limits.open(target)).useResource();
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  };
  const accepted = async (target: CallTarget, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) expect(await call(target)).toBeUndefined();
  };
  return { clock, windows, limits, call, accepted, current };
}

const refusal = (limit: string, retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'rate_limited', detail: { limit, retryAfterSeconds } }) as unknown;

describe('each limit', () => {
  it('lets 30 triggers a minute into one workflow, of all keys together', async () => {
    const { call, accepted } = setUp();
    await accepted(trigger('a'), 20);
    await accepted(trigger('b'), 10);
    expect(await call(trigger('c'))).toEqual(refusal('trigger-per-workflow', 60));
    expect(await call(trigger('a', 'other'))).toBeUndefined();
  });

  it('lets a key trigger 50 runs a minute over all workflows', async () => {
    const { call, accepted } = setUp();
    await accepted(trigger('a', 'w1'), 25);
    await accepted(trigger('a', 'w2'), 25);
    expect(await call(trigger('a', 'w3'))).toEqual(refusal('trigger', 60));
    expect(await call(trigger('b', 'w3'))).toBeUndefined();
  });

  it('lets 6 status calls a minute look at one run, of all keys together', async () => {
    const { call, accepted } = setUp();
    await accepted(status('a'), 3);
    await accepted(status('b'), 3);
    expect(await call(status('c'))).toEqual(refusal('status-per-run', 60));
  });

  it('lets a key ask 50 statuses and 50 outputs a minute', async () => {
    const { call, accepted } = setUp();
    for (let n = 0; n < 50; n += 1) await accepted(status('a', `run ${n}`), 1);
    expect(await call(status('a', 'one more'))).toEqual(refusal('status', 60));
    await accepted(output('a'), 50);
    expect(await call(output('a'))).toEqual(refusal('output', 60));
  });
});

describe('what a call is charged', () => {
  it('is nothing when the resource refuses it', async () => {
    const { call, accepted } = setUp();
    await accepted(status('a', 'busy'), 6);
    for (let n = 0; n < 100; n += 1)
      expect((await call(status('a', 'busy')))?.detail.limit).toBe('status-per-run');
    for (let n = 0; n < 44; n += 1) await accepted(status('a', `run ${n}`), 1);
    expect((await call(status('a', 'one more')))?.detail.limit).toBe('status');
  });

  it('is the operation alone when nothing was found, and no memory for what does not exist', async () => {
    const { limits, windows, call } = setUp();
    for (let n = 0; n < 50; n += 1) await limits.open(status('a', `unknown ${n}`));
    expect(windows.size).toBe(1);
    expect((await call(status('a', 'known')))?.detail.limit).toBe('status');
  });

  it('is the operation and the resource it addresses; an output has none', async () => {
    const { limits } = setUp();
    const charge = async (target: CallTarget) => {
      const open = await limits.open(target);
      const before = open.charged;
      await open.useResource();
      return [before, open.charged.slice(before.length)];
    };
    await limits.open(status());
    expect(await charge(status())).toEqual([
      [{ limit: 'status', used: 2, of: 50 }],
      [{ limit: 'status-per-run', used: 1, of: 6 }],
    ]);
    expect(await charge(output())).toEqual([[{ limit: 'output', used: 1, of: 50 }], []]);
  });

  it('is nothing once it is taken back', async () => {
    const { limits, accepted } = setUp();
    await accepted(status(), 1);
    const open = await limits.open(status());
    await open.useResource();
    await open.refund();
    expect(open.charged).toEqual([]);
    await accepted(status(), 5);
    expect((await limits.meters()).map(({ used }) => used)).toEqual([6, 6]);
  });

  it('leaves memory once it has expired', async () => {
    const { clock, windows, accepted } = setUp();
    for (let n = 0; n < 40; n += 1) await accepted(status(`key ${n}`, `run ${n}`), 1);
    expect(windows.size).toBe(80);
    clock.advance(60_000);
    await accepted(status('a', 'r'), 1);
    expect(windows.size).toBe(2);
  });
});

describe('calls at the same moment', () => {
  it('are let through up to the limit, and not one more', async () => {
    const { limits, call } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, n) => call(status('a', `run ${n}`))));
    expect(outcomes.filter((refused) => refused === undefined)).toHaveLength(50);
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, n) => limits.open(status(`key ${n}`, 'shared'))),
    );
    const charged = await Promise.allSettled(opened.map((open) => open.useResource()));
    expect(charged.filter(({ status: outcome }) => outcome === 'fulfilled')).toHaveLength(6);
  });
});

describe('a check', () => {
  it('throws what the call would be refused with, and charges nothing', async () => {
    const { limits, accepted } = setUp();
    await accepted(status('a', 'busy'), 6);
    const before = await limits.meters();
    await expect(limits.check(status('b', 'busy'), 'key')).resolves.toBeUndefined();
    await expect(limits.check(status('b', 'busy'), 'all')).rejects.toMatchObject({
      code: 'rate_limited',
      detail: { limit: 'status-per-run', retryAfterSeconds: 60 },
    });
    await expect(limits.check(status('b', 'idle'), 'all')).resolves.toBeUndefined();
    expect(await limits.meters()).toEqual(before);
  });

  it('of a key whose limit is used up throws before anything is known of the run', async () => {
    const { limits, accepted } = setUp();
    await accepted(output('a'), 50);
    await expect(limits.check(output('a'), 'key')).rejects.toMatchObject({ detail: { limit: 'output' } });
  });
});

describe('what is held', () => {
  it('of a window that was charged again does not keep what has expired behind it', async () => {
    const { clock, limits, windows, accepted } = setUp();
    await accepted(status('often', 'often'), 1);
    await accepted(status('once', 'once'), 1);
    clock.advance(30_000);
    await accepted(status('often', 'often'), 1);
    clock.advance(30_000);
    await limits.open(status('often', 'other'));
    expect(windows.size).toBe(2);
  });
});

describe('the meters', () => {
  it('tell how far each limit is used up and when it is free, the one charged last first', async () => {
    const { clock, limits, accepted } = setUp({ scale: 2 });
    await accepted(trigger('a', 'w'), 1);
    clock.advance(1000);
    await accepted(trigger('b', 'w'), 1);
    const later = { nextFreeMs: 60_000, allFreeMs: 60_000 };
    const sooner = { nextFreeMs: 59_000, allFreeMs: 59_000 };
    expect(await limits.meters()).toEqual([
      { limit: 'trigger-per-workflow', subjectId: 'w', used: 2, of: 60, ...later, nextFreeMs: 59_000 },
      { limit: 'trigger', subjectId: 'b', used: 1, of: 100, ...later },
      { limit: 'trigger', subjectId: 'a', used: 1, of: 100, ...sooner },
    ]);
  });

  it('show nothing that is not charged, and nothing while limits are off', async () => {
    const { clock, limits, windows, accepted, current } = setUp();
    await (await limits.open(status('refunded'))).refund();
    await accepted(status('a'), 1);
    expect((await limits.meters()).map(({ subjectId }) => subjectId)).toEqual(['r', 'a']);
    const behind = await limits.open(status('taken back'));
    await behind.refund();
    expect(await limits.meters()).toHaveLength(2);
    current.mode = 'off';
    expect(await limits.meters()).toEqual([]);
    current.mode = 'published';
    clock.advance(60_000);
    expect(await limits.meters()).toEqual([]);
    expect(windows.size).toBe(0);
  });
});

describe('the time to wait', () => {
  it('lasts to the last millisecond', async () => {
    const { clock, windows, call, accepted } = setUp();
    await accepted(output(), 50);
    await accepted(status(), 6);
    clock.advance(59_999);
    expect(await call(output())).toEqual(refusal('output', 1));
    expect(await call(status('other'))).toEqual(refusal('status-per-run', 1));
    clock.advance(1);
    expect([await call(output()), await call(status('other'))]).toEqual([undefined, undefined]);
    expect(windows.size).toBe(3);
  });

  it("is the longer of the key's and the resource's", async () => {
    const { clock, call, accepted } = setUp();
    for (let n = 0; n < 44; n += 1) await accepted(status('a', `run ${n}`), 1);
    clock.advance(30_000);
    await accepted(status('a', 'busy'), 6);
    clock.advance(1_500);
    expect(await call(status('a', 'busy'))).toEqual(refusal('status', 59));
    expect(await call(status('a', 'idle'))).toEqual(refusal('status', 29));
  });

  it('is enough at any phase of the minute, on a clock of fractions too', async () => {
    const pauses = fc.array(fc.double({ min: 0, max: 9_000, noNaN: true }), {
      minLength: 200,
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(
        pauses,
        fc.array(fc.nat(2), { minLength: 200, maxLength: 200 }),
        async (times, runs) => {
          const { clock, call } = setUp();
          for (const [index, pause] of times.entries()) {
            clock.advance(pause);
            const target = status('a', `run ${runs[index]}`);
            const refused = await call(target);
            if (refused === undefined) continue;
            clock.advance((refused.detail.retryAfterSeconds ?? 0) * 1000);
            expect(await call(target)).toBeUndefined();
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the mode', () => {
  it('multiplies every limit or lifts them all, from the next call on', async () => {
    const { call, accepted, limits, current } = setUp({ scale: 2 });
    await accepted(status(), 12);
    expect((await call(status()))?.detail.limit).toBe('status-per-run');
    expect(limits.label).toBe('2x');
    current.mode = 'off';
    await accepted(status(), 1000);
    expect(limits.label).toBe('off');
    current.mode = 'published';
    expect((await call(status()))?.detail.limit).toBe('status-per-run');
    expect(limits.label).toBeUndefined();
  });

  it('lets a call pass that is under way when limits are lifted', async () => {
    const { limits, accepted, current } = setUp();
    await accepted(status('a'), 6);
    const open = await limits.open(status('b'));
    current.mode = 'off';
    await open.useResource();
    expect(open.charged).toEqual([
      { limit: 'status', used: 1, of: 50 },
      { limit: 'status-per-run', used: 7, of: 7 },
    ]);
  });
});
