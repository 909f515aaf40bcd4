// The limits hold whether calls are counted in one process or in a team's database.
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { publishedLimits, type Operation } from '../../../src-main/domain/limits/published-limits.ts';
import { LimitService, type CallTarget } from '../../../src-main/services/api/limit-service.ts';
import { MemoryLimitWindows } from '../../../src-main/services/api/limit-windows.ts';
import { TeamLimitWindows } from '../../../src-main/team/team-limit-windows.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { ageCountedCalls, createTestDatabase, openPool } from '../../builders/team-database.ts';

type Backend = {
  /** Servers that count together. */
  readonly servers: readonly LimitService[];
  /** Lets time pass. */
  readonly advance: (ms: number) => Promise<void>;
  /** Subjects that memory or rows are used for. */
  readonly size: () => Promise<number>;
};

async function inMemory(): Promise<Backend> {
  const clock = new FakeClock();
  const windows = new MemoryLimitWindows(clock);
  return {
    servers: [new LimitService({ windows, mode: () => 'published' })],
    advance: async (ms) => clock.advance(ms),
    size: async () => windows.size,
  };
}

async function inDatabase(): Promise<Backend> {
  const { url } = await createTestDatabase();
  const databases = [1, 2, 3].map(() => openPool(url, 8));
  onTestFinished(async () => void (await Promise.all(databases.map((database) => database.close()))));
  const [first] = databases;
  return {
    servers: databases.map(
      (database) =>
        new LimitService({
          windows: new TeamLimitWindows({ database, log: silentLog }),
          mode: () => 'published',
        }),
    ),
    advance: (ms) => ageCountedCalls(first!, ms),
    size: async () => (await first!.query('select from rowbench.limit_windows')).length,
  };
}

const backends = [
  ['one process', inMemory, undefined],
  ['a database', inDatabase, whyNoPostgres],
] as const;

/** One whole call, as a route makes it; the error when it is refused. */
async function call(server: LimitService, target: CallTarget): Promise<AppError | undefined> {
  try {
    await (await server.open(target)).useResource();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const target = (operation: Operation, keyId: string, resourceId: string): CallTarget => ({
  operation,
  keyId,
  resourceId,
});

/** For each published limit the calls that only that one refuses. */
const callsUnder: Readonly<Record<keyof typeof publishedLimits, (n: number) => CallTarget>> = {
  trigger: (n) => target('trigger', 'a', `workflow ${n}`),
  'trigger-per-workflow': (n) => target('trigger', `key ${n}`, 'workflow'),
  status: (n) => target('status', 'b', `run ${n}`),
  'status-per-run': (n) => target('status', `key ${n}`, 'run'),
  output: (n) => target('output', 'c', `run ${n}`),
};

for (const [name, open, why] of backends)
  describe.skipIf(why !== undefined)(`limits counted in ${name}`, () => {
    it('let exactly the published calls of 8 clients at each server pass', async () => {
      const { servers, advance } = await open();
      for (const [limit, published] of Object.entries(publishedLimits)) {
        const targetOf = callsUnder[limit as keyof typeof publishedLimits];
        const calls = servers.flatMap((server, at) =>
          Array.from({ length: 8 }, async (_, client) => {
            const refused: AppError[] = [];
            for (let n = 0; n < 8; n += 1) {
              const error = await call(server, targetOf(at * 64 + client * 8 + n));
              if (error !== undefined) refused.push(error);
            }
            return refused;
          }),
        );
        const refused = (await Promise.all(calls)).flat();
        expect(refused.length, limit).toBe(servers.length * 64 - published);
        const waits = refused.map(({ code, detail }) => {
          expect([code, detail.limit]).toEqual(['rate_limited', limit]);
          return detail.retryAfterSeconds ?? 0;
        });
        // The wait of the last refusal is enough for one more call.
        await advance(Math.max(...waits) * 1000);
        expect(await call(servers[0]!, targetOf(1000)), limit).toBeUndefined();
      }
    });

    it('never let more than 6 status calls into a minute, and tell a wait that is enough', async () => {
      const { servers, advance } = await open();
      const pauses = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 20 });
      const property = fc.asyncProperty(pauses, fc.uuid(), async (pauses, run) => {
        let advanced = 0;
        const pause = async (ms: number): Promise<void> => {
          await advance(ms);
          advanced += ms;
        };
        const now = (): number => advanced + performance.now();
        const accepted: { readonly from: number; readonly to: number }[] = [];
        const look = async (n: number): Promise<AppError | undefined> => {
          const from = now();
          const error = await call(servers[n % servers.length]!, target('status', `${run} ${n}`, run));
          if (error === undefined) accepted.push({ from, to: now() });
          return error;
        };
        for (const [n, ms] of pauses.entries()) {
          await pause(ms);
          const refused = await look(n);
          if (refused === undefined) continue;
          await pause((refused.detail.retryAfterSeconds ?? 0) * 1000);
          expect(await look(n)).toBeUndefined();
        }
        // The time of the database is in whole ms.
        for (const [n, { from }] of accepted.entries())
          if (n + 6 < accepted.length) expect(accepted[n + 6]!.to - from).toBeGreaterThan(60_000 - 2);
      });
      await fc.assert(property, { numRuns: 15 });
    });

    it('charge nothing for a call that its resource refuses or that is taken back', async () => {
      const { servers, size } = await open();
      const [server] = servers;
      for (let n = 0; n < 6; n += 1) await call(server!, target('status', 'k', 'busy'));
      for (let n = 0; n < 10; n += 1)
        expect((await call(server!, target('status', 'k', 'busy')))?.detail.limit).toBe('status-per-run');
      const opened = await server!.open(target('status', 'k', 'other'));
      await opened.useResource();
      expect(opened.charged).toEqual([
        { limit: 'status', used: 7, of: 50 },
        { limit: 'status-per-run', used: 1, of: 6 },
      ]);
      await opened.refund();
      await server!.check(target('status', 'k', 'never asked for'), 'all');
      const meters = await servers.at(-1)!.meters();
      expect(meters.map(({ limit, subjectId, used }) => [limit, subjectId, used])).toEqual(
        expect.arrayContaining([
          ['status', 'k', 6],
          ['status-per-run', 'busy', 6],
        ]),
      );
      expect(meters).toHaveLength(2);
      expect(await size()).toBeLessThanOrEqual(3);
    });

    it('say no to a key before it is known whether the run exists', async () => {
      const { servers } = await open();
      for (let n = 0; n < 50; n += 1) await servers[0]!.open(target('output', 'k', `unknown ${n}`));
      await expect(servers.at(-1)!.check(target('output', 'k', 'r'), 'key')).rejects.toMatchObject({
        code: 'rate_limited',
      });
      await expect(servers.at(-1)!.open(target('output', 'k', 'r'))).rejects.toMatchObject({
        code: 'rate_limited',
      });
    });

    it('forget what has expired', async () => {
      const { servers, advance, size } = await open();
      for (let n = 0; n < 5; n += 1) await call(servers[0]!, target('output', `k ${n}`, 'r'));
      expect(await size()).toBe(5);
      await advance(60_000);
      // Each server looks at its first call, and then once a minute.
      await call(servers.at(-1)!, target('output', 'new', 'r'));
      await expect.poll(size).toBe(1);
      expect(await servers[0]!.meters()).toHaveLength(1);
    });
  });
