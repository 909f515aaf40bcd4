// A team over PostgreSQL beside other queues, a local server, and itself with fewer workers, in turns. PostgreSQL runs on
// the same cores and flushes each commit. Each worker has one slot or two, so that one alone does not use all cores.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { openPool } from '../builders/team-database.ts';
import { textBody, textOutput, textRow } from '../builders/text-workload.ts';
import { atLeast, atMost, median, medianRatio, report, withoutAim, type Figure } from './figures.ts';
import { measureInterleaved, rate, timeRun, type Subject, type Workload } from './subjects.ts';
import {
  createMigrated,
  startBullMq,
  startPeer,
  whyNoBullMq,
  type BenchTeam,
  type Peer,
} from './team-peers.ts';
import { longest, openTeamRig } from './team-rig.ts';

const rounds = Number(process.env['ROWBENCH_ROUNDS'] ?? 5);
/** A round of 1,000,000 rows takes five minutes: two are enough. */
const textSizes = [
  { size: '100,000', rows: 100_000, repeats: rounds, aims: { usual: 0.5, durable: 1 } },
  { size: '1,000,000', rows: 1_000_000, repeats: Math.min(rounds, 2), aims: undefined },
];

if (whyNoPostgres !== undefined) process.stdout.write(`      no figures of teams: ${whyNoPostgres}\n`);

describe.skipIf(whyNoPostgres !== undefined)('a team', () => {
  const { teamOf, local, opened, pathOf, postgres } = openTeamRig();

  async function fileOf(rows: number): Promise<string> {
    const file = pathOf(`rows-${rows}.ndjson`);
    await writeFile(
      file,
      Array.from({ length: rows }, (_, index) => `${JSON.stringify(textRow(index))}\n`).join(''),
    );
    return file;
  }

  /** BullMQ with the persistence that it has by default, and with a flush of each command; none where it cannot be had. */
  async function openBullMq(rows: number, file: string): Promise<{ usual?: Peer; durable?: Peer }> {
    const modules = pathOf('bullmq');
    const reason = await whyNoBullMq(modules);
    if (reason !== undefined) {
      process.stdout.write(`      no figures of BullMQ: ${reason}\n`);
      return {};
    }
    const start = (name: string, settings: readonly string[]) =>
      opened(startBullMq({ modules, folder: pathOf(name), file, rowsPerJob: 1000 }, settings));
    return {
      usual: await start(`redis-${rows}`, []),
      durable: await start(`redis-aof-${rows}`, ['--appendonly', 'yes', '--appendfsync', 'always']),
    };
  }

  it.each(textSizes)(
    'runs $rows rows of text',
    { timeout: longest },
    async ({ size, rows, repeats, aims }) => {
      const body = textBody(rows);
      const file = await fileOf(rows);
      const [one, two, four] = [await teamOf(1, 2), await teamOf(2, 2), await teamOf(4, 2)];
      const { usual, durable } = await openBullMq(rows, file);
      const bare = await opened(
        startPeer('skip-locked-peer.mjs', [await createMigrated(postgres(), `bare_${rows}`), file]),
      );
      const wal = await walMeter(two);
      const through = async (subject: Subject): Promise<number> => {
        if (subject === two) await wal.begin();
        const { completedMs, output, runId } = await timeRun(subject, 'text', body);
        if (subject === two) await wal.end(runId, rows);
        expect(lastOf(output, rows)).toEqual(textOutput(textRow(rows - 1)));
        return completedMs;
      };
      const alone = await local();
      const peers = {
        ...(usual === undefined ? {} : { usual: () => usual.run(rows) }),
        ...(durable === undefined ? {} : { durable: () => durable.run(rows) }),
      };
      const measures: Record<string, () => Promise<number>> = {
        one: () => through(one),
        two: () => through(two),
        four: () => through(four),
        bare: () => bare.run(rows),
        alone: () => through(alone),
        ...peers,
      };
      await measureInterleaved(0, measures);
      const taken = await measureInterleaved(repeats, measures);
      const ours = taken['two']!;
      const figure = (name: string, key: string) => ({
        what: `team of 2, text, ${size} rows`,
        ours: spread(rows, ours),
        baseline: `${name} ${spread(rows, taken[key]!)}`,
        ratio: medianRatio(taken[key]!, ours),
      });
      const reportPeer = (aim: number | undefined, found: ReturnType<typeof figure>): void =>
        report(aim === undefined ? withoutAim(found) : atLeast(aim, found));
      if (usual !== undefined) reportPeer(aims?.usual, figure('BullMQ, default persistence,', 'usual'));
      if (durable !== undefined) reportPeer(aims?.durable, figure('BullMQ, AOF always,', 'durable'));
      report(withoutAim(figure('bare SKIP LOCKED', 'bare')));
      report(withoutAim(figure('local server', 'alone')));
      report(withoutAim(figure('team of 1', 'one')));
      report(withoutAim(figure('team of 4', 'four')));
      report(wal.figure());
    },
  );

  it('runs 10,000 rows of code with 1, 2 and 4 workers', { timeout: longest }, async () => {
    const rows = 10_000;
    const body = textBody(rows);
    const file = await fileOf(rows);
    const [one, two, four] = [await teamOf(1, 1), await teamOf(2, 1), await teamOf(4, 1)];
    const plainLoop = async (number: number): Promise<number> =>
      Number(
        (
          await promisify(execFile)(process.execPath, [
            join(import.meta.dirname, 'plain-loop.mjs'),
            'code',
            file,
            `${file}.${number}.out`,
          ])
        ).stdout,
      );
    const taken = await measureInterleaved(rounds, {
      one: () => completedMs(one, 'code', body),
      two: () => completedMs(two, 'code', body),
      four: () => completedMs(four, 'code', body),
      plain: () => plainLoop(1),
      both: async () => Math.max(...(await Promise.all([plainLoop(1), plainLoop(2)]))),
    });
    const gain = medianRatio(taken.one, taken.two);
    const cores = 2 * medianRatio(taken.plain, taken.both);
    report(
      atLeast(0.8, {
        what: 'team, code of 45 µs, 10,000 rows, 2 workers to 1',
        ours: `${gain.toFixed(2)}: ${spread(rows, taken.two)} to ${spread(rows, taken.one)}`,
        baseline: `plain loops, 2 to 1, ${cores.toFixed(2)}`,
        ratio: gain / cores,
      }),
    );
    report(
      atLeast(0.95, {
        what: 'team of 4, code of 45 µs, 10,000 rows',
        ours: spread(rows, taken.four),
        baseline: `team of 2 ${spread(rows, taken.two)}`,
        ratio: medianRatio(taken.two, taken.four),
      }),
    );
  });

  it('runs 10,000 rows that call a service of 20 ms', { timeout: longest }, async () => {
    const rows = 10_000;
    const body = textBody(rows);
    const [one, two, alone] = [await teamOf(1, 1), await teamOf(2, 1), await local()];
    const taken = await measureInterleaved(rounds, {
      one: () => completedMs(one, 'upstream', body),
      two: () => completedMs(two, 'upstream', body),
      alone: () => completedMs(alone, 'upstream', body),
    });
    const figure = (name: string, times: readonly number[]) => ({
      what: 'team of 2, upstream of 20 ms, 10,000 rows, 256 at once each',
      ours: spread(rows, taken.two),
      baseline: `${name} ${spread(rows, times)}`,
      ratio: medianRatio(times, taken.two),
    });
    report(atLeast(1.8, figure('team of 1', taken.one)));
    report(withoutAim(figure('local server', taken.alone)));
  });

  it('runs 10,000 rows that call a model of 500 ms', { timeout: longest }, async () => {
    const rows = 10_000;
    const body = textBody(rows);
    const [one, two] = [await teamOf(1, 1), await teamOf(2, 1)];
    const taken = await measureInterleaved(rounds, {
      one: () => completedMs(one, 'model', body),
      two: () => completedMs(two, 'model', body),
    });
    report(
      atLeast(1.8, {
        what: 'team of 2, calls of 500 ms, 10,000 rows, 256 at once each',
        ours: spread(rows, taken.two),
        baseline: `team of 1 ${spread(rows, taken.one)}`,
        ratio: medianRatio(taken.one, taken.two),
      }),
    );
  });
});

const lastOf = (output: Buffer, rows: number): unknown => {
  const outputs = Object.values((JSON.parse(output.toString()) as { data: object }).data) as unknown[];
  expect(outputs).toHaveLength(rows);
  return outputs.at(-1);
};

const completedMs = async (subject: Subject, workload: Workload, body: Buffer): Promise<number> =>
  (await timeRun(subject, workload, body)).completedMs;

const spread = (rows: number, times: readonly number[]): string =>
  `${rate(rows, median(times))} (${rate(rows, Math.max(...times))} to ${rate(rows, Math.min(...times))})`.replaceAll(
    / rows\/s(?=.* rows\/s)/g,
    '',
  );

/** Bytes that runs write to PostgreSQL's log, against those that it stores. */
async function walMeter({ databaseUrl }: BenchTeam) {
  const pool = openPool(databaseUrl, 1);
  const [written, stored]: [number[], number[]] = [[], []];
  let from = 0;
  const position = async (): Promise<number> => {
    const [found] = await pool.query<{ bytes: number }>(
      `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as bytes`,
    );
    return Number(found?.bytes);
  };
  return {
    begin: async () => (from = await position()),
    end: async (runId: string, rows: number): Promise<void> => {
      written.push(((await position()) - from) / rows);
      const [run] = await pool.query<{ bytes: number }>('select bytes from rowbench.runs where run_id = $1', [
        runId,
      ]);
      stored.push(Number(run?.bytes) / rows);
    },
    figure: (): Figure =>
      atMost(1.1, {
        what: 'team, WAL a row of text, in and out',
        ours: `${median(written).toFixed(0)} bytes`,
        baseline: `stored bytes ${median(stored).toFixed(0)}`,
        ratio: medianRatio(written, stored),
      }),
  };
}
