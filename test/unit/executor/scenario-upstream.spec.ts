import { expect, it } from 'vitest';
import { readScenario } from '../../../src-main/domain/scenarios/parse-scenario.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../src-main/executor/ports.ts';
import { scenarioUpstream } from '../../../src-main/executor/upstream/scenario-upstream.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const seed = { random: 1, time: 0 };

function setUp(text: string, virtual = false) {
  const clock = new FakeClock();
  const inner = scriptedUpstream(() => jsonAnswer('real'));
  const run = { scenario: readScenario(text), seed, ...(virtual ? { clock: 'virtual' as const } : {}) };
  const upstream = scenarioUpstream(inner, run, clock);
  const aborter = new AbortController();
  const call = (row: number, attempt = 1, more: Partial<UpstreamRequest> = {}): Promise<UpstreamAnswer> =>
    upstream.call(
      { method: 'GET', url: 'https://x.example/', headers: [], ...more },
      { idempotencyKey: `k${row}`, signal: aborter.signal, origin: { row, site: 'get', attempt } },
    );
  return { clock, inner, upstream, aborter, call };
}

const rows = Array.from({ length: 200 }, (_, n) => n + 1);

async function statuses(text: string, attempt = 1): Promise<(number | string)[]> {
  const { call } = setUp(text);
  const answers = await Promise.all(rows.map((row) => call(row, attempt)));
  return answers.map((answer) => (answer.kind === 'answered' ? answer.status : answer.message));
}

it('a scenario fails a share of the calls, always the same ones, before any network', async () => {
  const { call, inner } = setUp('upstream-429=0.3,upstream-5xx=0.1');
  for (const row of rows) await call(row);
  const all = await statuses('upstream-429=0.3,upstream-5xx=0.1');
  const of = (status: number): number => all.filter((one) => one === status).length;
  expect(of(429)).toBeGreaterThan(40);
  expect(of(429)).toBeLessThan(80);
  expect(of(500)).toBeGreaterThan(8);
  expect(of(500)).toBeLessThan(35);
  expect(inner.requests).toHaveLength(of(200));
  expect(await statuses('upstream-429=0.3,upstream-5xx=0.1')).toEqual(all);
  expect(await statuses('upstream-429=0.3,upstream-5xx=0.1,seed=5')).not.toEqual(all);
});

it('a scenario cuts a share of the calls without an answer, before any network', async () => {
  const cut = 'was not answered: the connection was closed (scenario upstream-no-answer)';
  const all = await statuses('upstream-5xx=0.2,upstream-no-answer=0.3');
  const of = (status: number | string): number => all.filter((one) => one === status).length;
  expect(of(cut)).toBeGreaterThan(40);
  expect(of(cut)).toBeLessThan(80);
  expect(of(500) + of(cut) + of(200)).toBe(rows.length);
  const { call, inner } = setUp('upstream-no-answer=1');
  await call(1);
  expect(inner.requests).toEqual([]);
});

it('a scenario decides anew for each attempt, so that a retry can succeed', async () => {
  const first = await statuses('upstream-5xx=0.5');
  const second = await statuses('upstream-5xx=0.5', 2);
  expect(rows.some((_, index) => first[index] === 500 && second[index] === 200)).toBe(true);
});

it('a 429 of a scenario has a Retry-After of one second', async () => {
  const { call } = setUp('upstream-429=1');
  expect(await call(1)).toMatchObject({
    status: 429,
    retryAfterMs: 1000,
    headers: [
      ['content-type', 'application/json'],
      ['retry-after', '1'],
    ],
  });
});

it('a scenario delays slow calls, and fails those that exceed their timeout', async () => {
  const { call, clock, inner } = setUp('upstream-slow=1s');
  const slow = call(1, 1, { timeoutMs: 1500 });
  const late = call(2, 1, { timeoutMs: 400 });
  clock.advance(400);
  expect(await late).toEqual({
    kind: 'failed',
    message: 'was not answered within 400 ms (scenario upstream-slow)',
  });
  expect(inner.requests).toEqual([]);
  clock.advance(600);
  expect(await slow).toMatchObject({ status: 200 });
  expect(inner.requests).toMatchObject([{ timeoutMs: 500 }]);
});

it('a slow call of a scenario takes no time on a virtual clock', async () => {
  const { call, clock } = setUp('upstream-slow=9s', true);
  expect(await call(1)).toMatchObject({ status: 200 });
  expect(await call(1, 1, { timeoutMs: 9000 })).toMatchObject({ kind: 'failed' });
  expect(clock.pending).toBe(0);
});

it('a slow call of a scenario ends as soon as its row is gone', async () => {
  const { call, clock, aborter } = setUp('upstream-slow=1h', false);
  const slow = call(1, 1, { timeoutMs: 7_200_000 });
  aborter.abort(new Error('gone'));
  await expect(slow).rejects.toThrow('gone');
  expect(clock.pending).toBe(0);
});

it('a scenario without effects on calls does not wrap the upstream', () => {
  const { upstream, inner } = setUp('slow=1s,api-429=1');
  expect(upstream).toBe(inner);
});
