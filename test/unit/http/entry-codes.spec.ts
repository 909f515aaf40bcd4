import { describe, expect, it } from 'vitest';
import {
  EntryCodes,
  entryCodeLifeMs,
  maxEntryCodes,
} from '../../../src-main/http/control-api/entry-codes.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function setUp() {
  const clock = new FakeClock();
  return { clock, codes: new EntryCodes(clock) };
}

describe('an entry code', () => {
  it('opens once', () => {
    const { codes } = setUp();
    const code = codes.create();
    expect([codes.redeem(code), codes.redeem(code)]).toEqual([true, false]);
  });

  it('opens nothing once it is too old', () => {
    const { codes, clock } = setUp();
    const [early, late] = [codes.create(), codes.create()];
    clock.advance(entryCodeLifeMs - 1);
    expect(codes.redeem(early)).toBe(true);
    clock.advance(1);
    expect(codes.redeem(late)).toBe(false);
  });

  it('lives by the monotonic clock: setting the wall clock back makes none last longer', () => {
    const { codes, clock } = setUp();
    const code = codes.create();
    clock.advance(entryCodeLifeMs);
    clock.setWallTime(0);
    expect(codes.redeem(code)).toBe(false);
  });

  it('leaves the others as they are', () => {
    const { codes } = setUp();
    const [first, second] = [codes.create(), codes.create()];
    expect(codes.redeem('wrong')).toBe(false);
    expect([codes.redeem(second), codes.redeem(first)]).toEqual([true, true]);
  });

  it('goes when many newer ones wait', () => {
    const { codes } = setUp();
    const oldest = codes.create();
    const newer = Array.from({ length: maxEntryCodes }, () => codes.create());
    expect(codes.redeem(oldest)).toBe(false);
    expect(newer.map((code) => codes.redeem(code))).toEqual(newer.map(() => true));
  });

  it('has 256 bits in characters that a fragment can carry', () => {
    const made = Array.from({ length: 100 }, () => setUp().codes.create());
    for (const code of made) expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(made).size).toBe(100);
  });

  it.each(['', ' ', 'x'.repeat(100), '\u0000', 'é'])('is not %j', (presented) => {
    const { codes } = setUp();
    codes.create();
    expect(codes.redeem(presented)).toBe(false);
  });
});
