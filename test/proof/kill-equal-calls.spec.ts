// SIGKILL at random moments of runs with `share: run`: all rows of a run have one answer per call, and a kill costs at most
// one further call per key. 200 kills in the long form.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { createTestDatabase } from '../builders/team-database.ts';
import { startTeamServer, startTeamWorker } from '../builders/team-processes.ts';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { json, slowly, startUpstream, type TestUpstream } from '../builders/upstream-server.ts';
import { isLong, report, timeoutMs } from './length.ts';

const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_261_129);
const currencies = ['eur', 'gbp', 'usd'];

const workflow = (port: number): string => `rowbench: 1
id: rates
concurrency: 4
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 10ms }
  - { id: rate, type: http, after: wait, share: run, request: { url: "http://127.0.0.1:${port}/{{ row.currency }}" } }
  - id: twice
    type: workflow
    share: run
    row: { currency: =row.currency }
    nodes:
      - { id: first, type: http, request: { url: "http://127.0.0.1:${port}/{{ row.currency }}" } }
      - { id: again, type: http, after: first, request: { url: "http://127.0.0.1:${port}/{{ row.currency }}" } }
      - { id: got, type: output, fields: { nth: "=nodes.first.body.nth + ' ' + nodes.again.body.nth" } }
  - { id: out, type: output, fields: { currency: =row.currency, rate: =nodes.rate.body.nth, twice: =nodes.twice.nth } }
`;

/** Keys of a run: per currency one of its call, and two of the calls in its workflow. */
const keysOfRun = 3 * currencies.length;

/** A service with another rate at each call. */
const startService = (random: () => number): Promise<TestUpstream> =>
  startUpstream(
    Object.fromEntries(
      currencies.map((currency) => [
        `/${currency}`,
        (call, response) => slowly(random() * 150, json({ nth: call.nth }))(call, response),
      ]),
    ),
  );

/** Checks the outputs of a run. Returns the calls of its keys beyond the first. */
function checkRun(service: TestUpstream, runId: string, outputs: readonly unknown[]): number {
  // The currency is part of an output.
  expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(currencies.length);
  const calls = [...service.keys()].filter(([key]) => key.startsWith(`${runId}/share/`));
  expect(calls).toHaveLength(keysOfRun);
  return calls.reduce((sum, [, count]) => sum + count - 1, 0);
}

/** The process, which a failure of the test ends, too. */
function ended<P extends { kill(): Promise<void> }>(process: P): P {
  onTestFinished(() => process.kill());
  return process;
}

const kills = isLong ? 200 : 2;

it(`all rows have one answer over ${kills} kills of the server`, { timeout: timeoutMs(90_000) }, async () => {
  const random = seededRandom(seed);
  const service = await startService(random);
  const [dataDir, workflows] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(join(workflows, 'rates.workflow.yaml'), workflow(service.port));
  const start = async () => ended(await startServerProcess({ dataDir, workflows, allowNetwork: 'loopback' }));
  const rows = Array.from({ length: 24 }, (_, row) => ({ currency: currencies[row % 3] }));
  const runIds: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const server = await start();
    runIds.push(await trigger(server.url, 'rates', rows));
    await setTimeout(random() * 300);
    await server.kill();
  }
  const server = await start();
  let repeated = 0;
  for (const runId of runIds) {
    expect(await finalStatus(server.url, { workflowId: 'rates', runId })).toMatchObject({
      status: 'completed',
    });
    const outputs = Object.values(await outputOf(server.url, 'rates', runId));
    expect(outputs).toHaveLength(rows.length);
    repeated += checkRun(service, runId, outputs);
  }
  await server.stop();
  // A run that was accepted before is killed as well.
  expect(repeated).toBeLessThanOrEqual(kills * keysOfRun);
  report(
    `shared calls: ${kills} kills, ${runIds.length * keysOfRun} keys, ${repeated} calls repeated, one rate per key`,
  );
});

const teamKills = isLong ? 40 : 1;

it.skipIf(whyNoPostgres !== undefined)(
  `all rows have one answer on a team of three workers, over ${teamKills} kills of a worker`,
  { timeout: timeoutMs(120_000) },
  async () => {
    const random = seededRandom(seed);
    const service = await startService(random);
    const workflows = await temporaryFolder();
    await writeFile(join(workflows, 'rates.workflow.yaml'), workflow(service.port));
    const { url } = await createTestDatabase();
    const startWorker = async () => ended(await startTeamWorker(url, { slots: 1 }));
    const [server, ...workers] = await Promise.all([
      startTeamServer(url, { workflows, allowNetwork: 'loopback' }).then(ended),
      ...[1, 2, 3].map(startWorker),
    ]);
    // One row fills a segment.
    const rows = Array.from({ length: 12 }, (_, row) => ({
      currency: currencies[row % 3],
      text: 'x'.repeat(700_000),
    }));
    let repeated = 0;
    for (let kill = 0; kill < teamKills; kill += 1) {
      const runId = await trigger(server.url, 'rates', rows);
      await setTimeout(random() * 300);
      await workers[kill % 3]?.kill();
      workers[kill % 3] = await startWorker();
      const end = await finalStatus(server.url, { workflowId: 'rates', runId });
      expect(end).toMatchObject({ status: 'completed' });
      const outputs = Object.values(await outputOf(server.url, 'rates', runId));
      expect(outputs).toHaveLength(rows.length);
      const more = checkRun(service, runId, outputs);
      expect(more).toBeLessThanOrEqual(keysOfRun);
      repeated += more;
    }
    await Promise.all([server, ...workers].map((each) => each.stop()));
    report(`shared calls on a team: ${teamKills} kills, ${repeated} calls repeated, one rate per key`);
  },
);
