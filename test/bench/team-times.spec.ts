// Times of a team: single rows, rows of a worker that is gone, and memory against rows.
import { describe, expect, it } from 'vitest';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { peaksMbOf, sumOf } from '../builders/process-usage.ts';
import { openPool } from '../builders/team-database.ts';
import { textBody } from '../builders/text-workload.ts';
import {
  atLeast,
  atMost,
  median,
  medianRatio,
  quantile,
  report,
  withoutAim,
  type Figure,
} from './figures.ts';
import { measureInterleaved, rate, timeRun, type Subject } from './subjects.ts';
import type { BenchTeam } from './team-peers.ts';
import { longest, openTeamRig } from './team-rig.ts';

describe.skipIf(whyNoPostgres !== undefined)('a team', () => {
  const { teamOf, local } = openTeamRig();

  it('runs single rows', { timeout: longest }, async () => {
    const [team, alone] = [await teamOf(1), await local()];
    const body = textBody(1);
    for (const subject of [team, alone]) await smallRuns(subject, 5);
    const single = async (subject: Subject): Promise<number> => (await timeRun(subject, 'text', body)).ms;
    const times = await measureInterleaved(100, { team: () => single(team), alone: () => single(alone) });
    const summary = (taken: number[]): string =>
      `${median(taken).toFixed(1)} ms (p95 ${quantile(taken, 0.95).toFixed(1)})`;
    const what = 'team, one row, trigger to output read';
    const ours = summary(times.team);
    report(atMost(1, { what, ours, baseline: '20 ms', ratio: median(times.team) / 20 }));
    report(
      atMost(5, {
        what,
        ours,
        baseline: `local server ${summary(times.alone)}`,
        ratio: median(times.team) / median(times.alone),
      }),
    );
    const runs = await measureInterleaved(5, {
      team: () => smallRuns(team, 2),
      alone: () => smallRuns(alone, 2),
    });
    const clients = {
      what: 'team, runs of one row, 8 clients',
      ours: `${median(runs.team).toFixed(0)} runs/s`,
    };
    report(atLeast(1, { ...clients, baseline: '200 runs/s', ratio: median(runs.team) / 200 }));
    report(
      withoutAim({
        ...clients,
        baseline: `local server ${median(runs.alone).toFixed(0)} runs/s`,
        ratio: medianRatio(runs.team, runs.alone),
      }),
    );
  });

  it('goes on with rows of a worker that is gone', { timeout: longest }, async () => {
    const team = await teamOf(2);
    const taken = { kill: [] as number[], stop: [] as number[] };
    for (let round = 0; round < 3; round += 1)
      for (const end of ['kill', 'stop'] as const) taken[end].push(await takeoverSeconds(team, end));
    const seconds = (times: readonly number[]): string =>
      `${median(times).toFixed(1)} s (${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)})`;
    const figure = (what: string, times: readonly number[], aim: number): Figure =>
      atMost(1, { what, ours: seconds(times), baseline: `${aim} s`, ratio: median(times) / aim });
    report(figure('team, rows of a killed worker go on', taken.kill, 12));
    report(figure('team, rows of a stopped worker go on', taken.stop, 1));
  });

  it('holds as much for 1,000,000 rows as for 10,000', { timeout: longest }, async () => {
    const peaks: { server: number; worker: number }[] = [];
    for (const rows of [10_000, 1_000_000]) {
      const team = await teamOf(2);
      const { runMs } = await timeRun(team, 'text', textBody(rows));
      process.stdout.write(`      ${rows} rows, from accepted to completed: ${rate(rows, runMs)}\n`);
      const workers = await Promise.all(team.workers.map(({ child }) => peaksMbOf(child.pid ?? 0)));
      peaks.push({ server: sumOf(await peaksMbOf(team.pid)), worker: Math.max(...workers.map(sumOf)) });
      await team.stop();
    }
    const [few, many] = peaks;
    for (const part of ['server', 'worker'] as const)
      report(
        atMost(1.5, {
          what: `team, peak memory of a ${part}, text, 1,000,000 rows`,
          ours: `${many![part].toFixed(0)} MB`,
          baseline: `10,000 rows ${few![part].toFixed(0)} MB`,
          ratio: many![part] / few![part],
        }),
      );
  });
});

/** Runs of one row a second that 8 clients bring to their end. */
async function smallRuns(subject: Subject, seconds: number): Promise<number> {
  const body = textBody(1);
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      await timeRun(subject, 'text', body);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return done / seconds;
}

/** Seconds from the end of a worker until others have all rows that it had. Another worker takes its place. */
async function takeoverSeconds(team: BenchTeam, end: 'kill' | 'stop'): Promise<number> {
  const pool = openPool(team.databaseUrl, 1);
  try {
    const runId = await team.trigger('slow', textBody(16));
    const workerOf = async (): Promise<string | undefined> => {
      const [found] = await pool.query<{ worker: string }>(
        `select worker from rowbench.segments join rowbench.runs using (owner)
         where run_id = $1 and state = 'running'`,
        [runId],
      );
      return found?.worker;
    };
    await expect.poll(workerOf, { timeout: 30_000, interval: 20 }).toBeDefined();
    const name = await workerOf();
    const worker = team.workers[Number(name?.replace('worker-', ''))]!;
    const began = performance.now();
    const ended = worker[end]();
    await expect
      .poll(async () => ((await workerOf()) ?? name) === name, { timeout: 60_000, interval: 20 })
      .toBe(false);
    const seconds = (performance.now() - began) / 1000;
    await ended;
    await expect.poll(() => team.status('slow', runId), { timeout: 60_000 }).toBe('completed');
    await team.addWorker();
    return seconds;
  } finally {
    await pool.close();
  }
}
