// A team whose workers, servers, database and connections end at random moments. Each row of an accepted run has its output
// once, in order, and no reported status of a run is revoked. ROWBENCH_KILLS sets the number of faults, ROWBENCH_SEED
// the random sequence.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputOf } from '../builders/api-client.ts';
import { openChaosTeam, type ChaosTeam } from '../builders/chaos-team.ts';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { isLong, report, timeoutMs } from './length.ts';

const faults = Number(process.env['ROWBENCH_KILLS'] ?? (isLong ? 1000 : 6));
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_261_126);
/** Longer than the lease of a segment, in ms. */
const freezeMs = 12_000;
/** Accepted runs that have not ended; more would only wait. */
const maxUnfinished = 5;

if (whyNoPostgres !== undefined && process.platform === 'linux')
  throw new Error(`The proof of teams was skipped: ${whyNoPostgres}`);

/** Rows of a run whose segments have several batches of rows. */
const largeRun = 60_000;
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const outputsOf = (count: number) => rowsOf(count).map(({ n }) => ({ n, twice: n * 2 }));

describe.skipIf(whyNoPostgres !== undefined)('a team of two servers and three workers', () => {
  let team: ChaosTeam;

  beforeAll(async () => {
    team = await openChaosTeam({ servers: 2, workers: 3 });
  }, 120_000);

  afterAll(() => team.close(), 60_000);

  it(
    'refuses what a worker says that stood still for longer than its lease',
    { timeout: 120_000 },
    async () => {
      const run = await team.trigger('slow', rowsOf(12), 0);
      await expect.poll(() => team.workerOf(run.runId), { timeout: 20_000 }).toBeDefined();
      const frozen = (await team.workerOf(run.runId)) ?? 0;
      const worker = team.workers[frozen]!;
      worker.child.kill('SIGSTOP');
      try {
        await expect.poll(() => team.workerOf(run.runId), { timeout: 60_000 }).not.toBe(frozen);
      } finally {
        worker.child.kill('SIGCONT');
      }
      await expect.poll(worker.stderr, { timeout: 20_000 }).toMatch(/another worker has rows|rows are ended/);
      await team.untilCompleted(60_000);
      expect(Object.values(await outputOf(team.urlOf(1), 'slow', run.runId))).toEqual(outputsOf(12));
    },
  );

  it(
    `loses and repeats nothing over ${faults} faults`,
    { timeout: timeoutMs(240_000 + faults * 3000) },
    async () => {
      const random = seededRandom(seed);
      const upTo = (count: number): number => Math.floor(random() * count);
      const chaos = new AbortController();
      const watched = team.watch(chaos.signal);
      const load = sendRuns(chaos.signal, seededRandom(seed + 1));
      const made: Record<string, number> = {};
      let frozen: Promise<void> | undefined;
      for (let fault = 0; fault < faults; fault += 1) {
        await setTimeout(random() * 800);
        const kind = fault === 1 ? 'freeze' : kindAt(random());
        made[kind] = (made[kind] ?? 0) + 1;
        if (kind === 'worker') await team.killWorker(upTo(3));
        else if (kind === 'server') await team.killServer(upTo(2));
        else if (kind === 'cut') await team.cutConnections();
        else if (kind === 'database') await team.crashDatabase(random() * 500);
        else if (frozen === undefined)
          frozen = team.freezeWorker(upTo(3), freezeMs).finally(() => (frozen = undefined));
      }
      chaos.abort();
      await Promise.all([load, frozen]);
      await team.untilCompleted(120_000);
      expect((await watched).slice(0, 10)).toEqual([]);
      for (const { child, stderr } of team.servers)
        expect(child.exitCode ?? child.signalCode, `a server has ended by itself: ${stderr()}`).toBeNull();
      const { accepted } = team;
      for (const [index, { runId, workflowId, rows }] of accepted.entries())
        expect(Object.values(await outputOf(team.urlOf(index % 2), workflowId, runId)), runId).toEqual(
          outputsOf(rows),
        );
      expect(accepted.length).toBeGreaterThan(faults / 4);
      const rows = accepted.reduce((sum, run) => sum + run.rows, 0);
      report(
        `team chaos: ${JSON.stringify(made)}, ${accepted.length} runs, ${rows} rows, none lost or twice`,
      );
    },
  );

  /** Sends runs while few are unfinished. What was answered with 201 is accepted, whatever else is not. */
  async function sendRuns(signal: AbortSignal, random: () => number): Promise<void> {
    for (let number = 0; !signal.aborted; number += 1) {
      await setTimeout(50);
      if (team.unfinished >= maxUnfinished) continue;
      const isLarge = number % 40 === 0;
      const rows = isLarge ? largeRun : ([1, 30, 700, 3000][Math.floor(random() * 4)] ?? 1);
      const workflowId = isLarge || random() < 0.7 ? 'text' : 'code';
      await team.trigger(workflowId, rowsOf(rows), random() < 0.5 ? 0 : 1).catch(() => undefined);
    }
  }
});

const kindAt = (share: number): 'worker' | 'server' | 'cut' | 'database' | 'freeze' => {
  if (share < 0.45) return 'worker';
  if (share < 0.65) return 'server';
  if (share < 0.8) return 'cut';
  return share < 0.9 ? 'database' : 'freeze';
};
