// Retention as a script and a user at a terminal see it. It never removes a run that ended less than a day ago, removes
// nothing after a jump of the wall clock, and reports every removal.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startApp, type RunningApp } from '../../../src-main/app/start-app.ts';
import { silentLog, type LogFields } from '../../../src-main/base/log.ts';
import type { Settings } from '../../../src-main/domain/settings.ts';
import { callApi, finalStatus, trigger } from '../../builders/api-client.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { sharedProcesses } from '../../builders/processes-for-tests.ts';
import { runCli } from '../../builders/run-cli.ts';
import { testKey } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const year = 365 * day;

const workerScript = fileURLToPath(new URL('../../../dist/row-worker.cjs', import.meta.url));

/** A data folder whose server is started again and again, on the clock of the test. */
async function prepare(retention: Settings['retention']) {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(join(dataDir, 'workflows'), { recursive: true });
  await writeFile(join(dataDir, 'workflows', 'quick.workflow.yaml'), quick);
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, limits: 'off', retention }));
  const clock = new FakeClock();
  const entries: { readonly fields: LogFields; readonly message: string }[] = [];
  const log = {
    ...silentLog,
    info: (fields: LogFields, message: string) => void entries.push({ fields, message }),
  };
  let app: RunningApp | undefined;
  const stop = async (): Promise<void> => {
    await app?.close();
    app = undefined;
  };
  const start = async (): Promise<void> => {
    await stop();
    app = await startApp({
      ...{ dataDir, port: 0, workerScript, fixedApiKey: testKey, clock, log },
      ...sharedProcesses(),
    });
  };
  onTestFinished(stop);
  await start();
  const url = (): string => app?.url ?? '';
  return {
    dataDir,
    clock,
    entries,
    restart: start,
    /** Runs to the end, then the id. */
    run: async (): Promise<string> => {
      const runId = await trigger(url(), 'quick', [{ n: 1 }]);
      await finalStatus(url(), { workflowId: 'quick', runId });
      return runId;
    },
    statusOf: async (runId: string): Promise<number> =>
      (await callApi(url(), `/api/v1/workflows/quick/runs/${runId}/async/status`)).status,
    list: () => runCli(['runs', 'list', '--data', dataDir]),
    preview: (bounds: Settings['retention']) => app?.handlers['settings.retention'](bounds),
  };
}

it(
  'a run that ended less than a day ago stays, and is removed past the age',
  { timeout: 60_000 },
  async () => {
    const { clock, run, statusOf, preview } = await prepare({ days: 1, gigabytes: 0.1 });
    const runs = [await run(), await run(), await run()];
    clock.advance(23 * hour);
    const fourth = await run();
    expect(await preview({ days: 1, gigabytes: 0.1 })).toEqual({ runs: 0, newest: null });
    for (const runId of [...runs, fourth]) expect(await statusOf(runId)).toBe(200);

    clock.advance(2 * hour);
    for (const runId of runs) await expect.poll(() => statusOf(runId)).toBe(404);
    expect(await statusOf(fourth)).toBe(200);
  },
);

it('a preview counts the runs that other bounds would remove', { timeout: 60_000 }, async () => {
  const { clock, run, preview } = await prepare({ days: 30, gigabytes: 5 });
  await run();
  const second = clock.now();
  await run();
  clock.advance(2 * day);
  await run();
  expect(await preview({ days: 1, gigabytes: 5 })).toEqual({
    runs: 2,
    newest: new Date(second).toISOString(),
  });
  expect(await preview({ days: 3, gigabytes: 5 })).toEqual({ runs: 0, newest: null });
});

it('a jump of the wall clock removes no run, also across restarts', { timeout: 60_000 }, async () => {
  const { clock, run, restart, statusOf, preview } = await prepare({ days: 30, gigabytes: 5 });
  const runs = [await run()];
  const begin = clock.now();
  for (const wall of [begin + year, begin - year, begin + 3 * year, begin]) {
    clock.setWallTime(wall);
    runs.push(await run());
    expect(await preview({ days: 1, gigabytes: 0.1 })).toMatchObject({ runs: 0 });
    await restart();
    runs.push(await run());
    clock.advance(hour);
    expect(await preview({ days: 1, gigabytes: 0.1 })).toMatchObject({ runs: 0 });
    for (const runId of runs) expect(await statusOf(runId)).toBe(200);
  }
});

it(
  'runs are listed in the order of acceptance, whatever the wall clock said',
  { timeout: 60_000 },
  async () => {
    const { clock, run, restart, list } = await prepare({ days: 3000, gigabytes: 5 });
    const runs = [await run()];
    clock.setWallTime(clock.now() - year);
    await restart();
    runs.push(await run());
    clock.setWallTime(clock.now() - year);
    runs.push(await run());
    const listed = (await list()).stdout;
    const offsets = runs.map((runId) => listed.indexOf(runId));
    expect(offsets).toEqual([...offsets].sort((a, b) => b - a));
  },
);

it('what was removed is said in the log and at the end of the list', { timeout: 60_000 }, async () => {
  const { clock, entries, run, restart, statusOf, list } = await prepare({ days: 2, gigabytes: 5 });
  const [first, second] = [await run(), await run()];
  clock.advance(day);
  const third = await run();
  expect((await list()).stderr).toBe('');
  clock.advance(25 * hour);
  await expect.poll(() => statusOf(second)).toBe(404);
  const removals = () => entries.filter(({ message }) => message === 'retention removed older runs');
  await expect
    .poll(removals)
    .toMatchObject([
      { fields: { runs: 2, oldest: first, newest: second, pastSize: 0, pastDays: 2, limits: { days: 2 } } },
    ]);
  await expect
    .poll(async () => (await list()).stderr)
    .toMatch(
      /^2 older runs were removed by retention, last on 2026-01-03 \d\d:\d\d:\d\d \(limit then: 2 days\)\.$/m,
    );

  await restart();
  clock.advance(day);
  await expect.poll(() => statusOf(third)).toBe(404);
  await expect
    .poll(async () => (await list()).stderr)
    .toMatch(/^3 older runs were removed by retention, last on 2026-01-0/m);
  expect(removals()[1]).toMatchObject({ fields: { runs: 1, oldest: third, pastSize: 0, pastDays: 1 } });
});

it('a damaged retention file costs no run and refuses no start', { timeout: 60_000 }, async () => {
  const { dataDir, run, restart, statusOf } = await prepare({ days: 1, gigabytes: 0.1 });
  const runs = [await run(), await run()];
  for (const name of ['retention.json', 'retention.json.previous'])
    await writeFile(join(dataDir, name), '{ "version": 1, ');
  await restart();
  runs.push(await run());
  for (const runId of runs) expect(await statusOf(runId)).toBe(200);
});
