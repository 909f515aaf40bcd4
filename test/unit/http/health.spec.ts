import { expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { Readiness } from '../../../src-main/http/health.ts';
import type { ReadyCheck } from '../../../src-main/services/ports.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { recordedLog } from '../../builders/recorded-log.ts';

const readinessOf = (checks: readonly ReadyCheck[], log = silentLog) => {
  const clock = new FakeClock();
  return { clock, readiness: new Readiness({ checks, clock, log }) };
};

it('a server without checks is ready until it stops', async () => {
  const { readiness } = readinessOf([]);
  expect(await readiness.reasons()).toEqual([]);
  readiness.drain();
  expect(await readiness.reasons()).toEqual(['the server is stopping']);
});

it('a server is not ready for the reasons of all checks that have one', async () => {
  const { readiness } = readinessOf([
    { name: 'database', check: async () => 'database: not reachable' },
    { name: 'schema', check: async () => undefined },
    { name: 'disk', check: async () => 'disk: full' },
  ]);
  expect(await readiness.reasons()).toEqual(['database: not reachable', 'disk: full']);
});

it('a check that throws is a reason without its message, which is logged', async () => {
  const { log, lines } = recordedLog();
  const check = () => Promise.reject(new Error('password authentication failed for "rowbench"'));
  const { readiness } = readinessOf([{ name: 'database', check }], log);
  expect(await readiness.reasons()).toEqual(['database: failed']);
  expect(lines).toEqual(['a check of readiness failed']);
});

it('a check that does not answer is a reason after two seconds', async () => {
  const { clock, readiness } = readinessOf([{ name: 'database', check: () => new Promise(() => undefined) }]);
  const reasons = readiness.reasons();
  clock.advance(2_000);
  expect(await reasons).toEqual(['database: no answer within 2 s']);
});

it('checks run once a second, however many probes come', async () => {
  let runs = 0;
  const { clock, readiness } = readinessOf([{ name: 'database', check: async () => `run ${(runs += 1)}` }]);
  expect(await Promise.all([readiness.reasons(), readiness.reasons()])).toEqual([['run 1'], ['run 1']]);
  clock.advance(999);
  expect(await readiness.reasons()).toEqual(['run 1']);
  clock.advance(1);
  expect(await readiness.reasons()).toEqual(['run 2']);
});

it('a server counts as probed for half a minute after a probe', async () => {
  const { clock, readiness } = readinessOf([]);
  expect(readiness.isProbed).toBe(false);
  await readiness.reasons();
  clock.advance(29_999);
  expect(readiness.isProbed).toBe(true);
  clock.advance(1);
  expect(readiness.isProbed).toBe(false);
});
