// The doctor's texts, and a proof of its advice: simulated clients that keep to the advised pauses are never refused by
// the real limiter.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-main/base/app-error.ts';
import type { Advice } from '../../../../src-main/domain/api-log/advice.ts';
import type { LoggedCall } from '../../../../src-main/domain/api-log/logged-call.ts';
import { diagnose } from '../../../../src-main/domain/api-log/polling-doctor.ts';
import type { LimitMode } from '../../../../src-main/domain/settings.ts';
import { LimitService } from '../../../../src-main/services/api/limit-service.ts';
import { MemoryLimitWindows } from '../../../../src-main/services/api/limit-windows.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { loggedCall } from '../../../builders/logged-call.ts';

type Client = {
  readonly client: string;
  readonly keyId: string;
  readonly route: 'trigger' | 'status' | 'output';
  readonly resourceId: string;
  readonly startMs: number;
  /** Between an answer and the next call. */
  readonly pauseMs: number;
  /** A refused call is made again after as long as it says. */
  readonly isPatient?: boolean;
};

const answerMs = 3;

/** Simulates clients for `forMs` milliseconds; returns their logged calls, the advice, and the number of refusals. */
async function live(clients: readonly Client[], forMs: number, limits: LimitMode = 'published') {
  const clock = new FakeClock();
  const limiter = new LimitService({ windows: new MemoryLimitWindows(clock), mode: () => limits });
  const calls: LoggedCall[] = [];
  const call = async (who: Client): Promise<number> => {
    const { client, keyId, route, resourceId } = who;
    const refusal = await refusalOf(async () => {
      const opened = await limiter.open({ operation: route, keyId, resourceId });
      await opened.useResource();
    });
    calls.push(
      loggedCall({
        number: calls.length + 1,
        at: clock.now(),
        client,
        route,
        workflowId: route === 'trigger' ? resourceId : 'w',
        ...(route === 'trigger' ? {} : { runId: resourceId }),
        key: { id: keyId, name: keyId, last4: '7f2a' },
        status: refusal === undefined ? 200 : 429,
        ms: answerMs,
        ...(refusal === undefined ? {} : { refusal }),
      }),
    );
    const wait = refusal?.retryAfterSeconds;
    return who.isPatient === true && wait !== undefined ? wait * 1000 : who.pauseMs;
  };
  const due = clients.map((client) => ({ client, at: client.startMs }));
  for (;;) {
    const next = due.reduce((first, other) => (other.at < first.at ? other : first));
    if (next.at > forMs) break;
    clock.advance(next.at - clock.monotonic());
    next.at += answerMs + (await call(next.client));
  }
  const advice = diagnose({ calls, limits, workflowIds: ['score'], now: clock.now() });
  return { calls, advice, refused: calls.filter(({ status }) => status === 429).length };
}

async function refusalOf(call: () => Promise<void>): Promise<LoggedCall['refusal']> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { limit = '', retryAfterSeconds = 0 } = error.detail;
    return { code: error.code, message: error.message, limit, retryAfterSeconds };
  }
}

const poller = (overrides: Partial<Client> = {}): Client => ({
  client: 'script/1.0',
  keyId: 'k',
  route: 'status',
  resourceId: '0197aaaa-0000-7000-8000-0000000000c3',
  startMs: 0,
  pauseMs: 2_000,
  ...overrides,
});

const adviceOf = (advice: readonly Advice[], kind: Advice['kind']): Advice | undefined =>
  advice.find((each) => each.kind === kind);

describe('the doctor says', () => {
  it('stays as long as the refused calls are listed, and other advice ends', async () => {
    const { calls } = await live([poller()], 30_000);
    const kinds = (listed: readonly LoggedCall[]) =>
      diagnose({
        calls: listed,
        limits: 'published',
        workflowIds: [],
        now: (calls.at(-1)?.at ?? 0) + 3_600_000,
      }).map(({ kind }) => kind);
    expect(kinds(calls)).toEqual(['over-limit']);
    expect(kinds(calls.filter(({ status }) => status !== 429))).toEqual([]);
  });

  it('who polls what, how often, which limit that breaks, and what is safe', async () => {
    const { advice } = await live([poller()], 30_000);
    expect(advice).toHaveLength(1);
    expect(advice[0]).toMatchObject({ kind: 'over-limit', title: 'Script polls too often', safeMs: 10_000 });
    expect(advice[0]?.text).toBe(
      'A pause of 10 s after each answer is safe, or wait for Retry-After. ' +
        'Script (key …7f2a) polls run …000000c3 every 2.0 s; the limit is 6 calls a minute for a run. ' +
        'It came back 8 times before Retry-After was over.',
    );
  });

  it('only the frequent polling of a client that waits as it should', async () => {
    const { advice } = await live([poller({ isPatient: true })], 90_000);
    expect(advice[0]?.text).not.toContain('Retry-After was over');
  });

  it('nothing of a client that polls as it should', async () => {
    expect((await live([poller({ pauseMs: 10_000 })], 600_000)).advice).toEqual([]);
  });

  it('so before anything is refused', async () => {
    const { advice, refused } = await live([poller()], 9_000);
    expect([advice[0]?.kind, advice[0]?.isRefused, refused]).toEqual(['near-limit', false, 0]);
    expect(advice[0]?.text).toMatch(/^A pause of 10 s after each answer is safe.*It will soon be refused\.$/);
  });

  it('what the published limits would say where they are lifted', async () => {
    const { advice } = await live([poller()], 60_000, 'off');
    expect(adviceOf(advice, 'near-limit')?.text).toContain('As published, the limits would refuse it');
  });

  it('how clients share the six calls of a run', async () => {
    const { advice } = await live([poller(), poller({ client: 'curl/8.5.0', keyId: 'other' })], 60_000);
    expect(advice.map(({ safeMs }) => safeMs)).toEqual([20_000, 20_000]);
    expect(advice[0]?.text).toContain('6 calls a minute for a run, and 2 clients share it');
  });

  it('that many runs of one key are too many at once', async () => {
    const runs = Array.from({ length: 30 }, (_, n) => poller({ resourceId: `run-${n}`, pauseMs: 10_000 }));
    const { advice } = await live(runs, 60_000);
    expect(advice[0]).toMatchObject({ title: 'Script polls too many runs at once', safeMs: 60_000 });
    expect(advice[0]?.text).toContain('50 calls a minute for a key, and the key watches 30 runs');
  });

  it('to send rows together rather than a run for each', async () => {
    const { advice } = await live([poller({ route: 'trigger', resourceId: 'score', pauseMs: 200 })], 20_000);
    expect(advice[0]?.text).toContain('starts runs of score every 0.2 s');
    expect(advice[0]?.text).toContain('Send the rows of many calls as one run. A pause of 2 s');
  });

  it('to stop when a run has ended', async () => {
    const calls = [1, 2, 3].map((number) =>
      loggedCall({ number, at: number * 10_000, runStatus: 'completed' }),
    );
    const [advice] = diagnose({ calls, limits: 'published', workflowIds: [], now: 31_000 });
    expect(advice?.text).toContain(
      'asked twice more for the status of run r after it had been told "completed"',
    );
  });

  it('to poll the status rather than the output', async () => {
    const refusal = { code: 'run_not_completed', message: '' } as const;
    const calls = [1, 2].map((number) => loggedCall({ number, route: 'output', refusal, status: 400 }));
    expect(diagnose({ calls, limits: 'published', workflowIds: [], now: calls[0]?.at ?? 0 })[0]?.kind).toBe(
      'early-output',
    );
  });

  it.each([
    ['invalid_key', { keyLocation: { elsewhere: 'authorization' } }, 'It is sent in "authorization"'],
    ['invalid_key', { keyLocation: 'nowhere' }, 'Every call needs one'],
    ['invalid_key', { keyLocation: 'header' }, 'It was revoked'],
    ['key_not_allowed', {}, 'The key …7f2a was made for other workflows'],
    ['workflow_not_found', { workflowId: 'scroe' }, 'Perhaps score is meant'],
    ['run_not_found', {}, 'Use the runId'],
    ['route_not_found', {}, 'Its three are'],
    [
      'route_not_found',
      { path: '/api/v1/workflows/echo/runs//async/status?a=//' },
      'read the run’s id from data.runId',
    ],
    ['route_not_found', { path: '/api/v1/workflow?a=//' }, 'Its three are'],
    ['method_not_allowed', {}, 'started with POST'],
  ] as const)('what to do about %s', (code, overrides, words) => {
    const refusal = { code, message: code };
    const calls = [loggedCall({ ...overrides, status: 401, refusal })];
    const [advice] = diagnose({ calls, limits: 'published', workflowIds: ['score'], now: calls[0]?.at ?? 0 });
    expect(advice?.text).toContain(words);
  });

  it('nothing of what has not happened again for long', async () => {
    const refusal = { code: 'invalid_key', message: '' } as const;
    const calls = [loggedCall({ at: 0, refusal, status: 401 })];
    expect(diagnose({ calls, limits: 'published', workflowIds: [], now: 299_999 })).toHaveLength(1);
    expect(diagnose({ calls, limits: 'published', workflowIds: [], now: 300_000 })).toEqual([]);
  });
});

describe('a pause that is advised', () => {
  const clients = fc
    .array(
      fc.record({
        client: fc.constantFrom('curl/8', 'node', 'python-requests/2'),
        keyId: fc.constantFrom('a', 'b'),
        route: fc.constantFrom('trigger' as const, 'status' as const, 'output' as const),
        resourceId: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5'),
        startMs: fc.nat(20_000),
        pauseMs: fc.integer({ min: 100, max: 3_000 }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    // Two of the same name, key and aim are one to the log.
    .map((all) => [
      ...new Map(all.map((c) => [`${c.client} ${c.keyId} ${c.route} ${c.resourceId}`, c])).values(),
    ]);

  it.each<LimitMode>(['published', { scale: 2 }])('never breaks a limit (%j)', async (limits) => {
    await fc.assert(
      fc.asyncProperty(clients, async (impatient) => {
        const { advice } = await live(impatient, 60_000, limits);
        const pauses = new Map(advice.map((each) => [each.id.split(' ').slice(1).join(' '), each.safeMs]));
        const patient = impatient.flatMap((client) => {
          const id = `${client.client} ${client.keyId} ${client.route} ${client.resourceId}`;
          const safe = pauses.get(id);
          // A client without advice keeps its pace.
          if (!pauses.has(id)) return [client];
          return safe === undefined ? [] : [{ ...client, pauseMs: safe }];
        });
        if (patient.length > 0) expect((await live(patient, 600_000, limits)).refused).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
