// A team as a newcomer starts it: two servers and two workers over one database. Whatever of it ends, each row of an
// accepted run has its output once, in order.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { createTestDatabase } from '../builders/team-database.ts';
import {
  figureOf,
  startTeamServer,
  startTeamWorker,
  type TeamProcess,
  type TeamServerProcess,
} from '../builders/team-processes.ts';

const workflow = `rowbench: 1
id: double
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n", twice: "=row.n * 2" } }
`;
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const outputsOf = (count: number) => rowsOf(count).map(({ n }) => ({ n, twice: n * 2 }));

describe.skipIf(whyNoPostgres !== undefined)('a team of two servers and two workers', () => {
  const servers: TeamServerProcess[] = [];
  const workers: TeamProcess[] = [];
  let databaseUrl = '';
  let workflows = '';

  beforeAll(async () => {
    databaseUrl = (await createTestDatabase()).url;
    workflows = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
    await writeFile(join(workflows, 'double.workflow.yaml'), workflow);
    for (let count = 0; count < 2; count += 1) {
      servers.push(await startTeamServer(databaseUrl, { workflows }));
      workers.push(await startTeamWorker(databaseUrl));
    }
  }, 120_000);

  afterAll(async () => {
    await Promise.all([...servers, ...workers].map((each) => each.stop()));
    await rm(workflows, { recursive: true, force: true });
  }, 60_000);

  const urlOf = (index: number): string => servers[index]?.url ?? '';

  it('completes a run that one server accepts, and another one answers for', async () => {
    const runId = await trigger(urlOf(0), 'double', rowsOf(3));
    expect(await finalStatus(urlOf(1), { workflowId: 'double', runId }, 30_000)).toMatchObject({
      status: 'completed',
    });
    expect(Object.values(await outputOf(urlOf(1), 'double', runId))).toEqual(outputsOf(3));
    const figures = async (name: string) =>
      (await Promise.all(workers.map((worker) => figureOf(worker, name)))).reduce(
        (sum, value) => sum + value,
      );
    expect(await figures('rowbench_committed_rows_total')).toBe(3);
    expect(await figures('rowbench_slots')).toBe(4);
    expect(await figures('rowbench_oldest_segment_seconds')).toBe(0);
  }, 60_000);

  it('completes a run of many segments, whose workers are killed', async () => {
    const rows = 30_000;
    const runId = await trigger(urlOf(0), 'double', rowsOf(rows));
    await workers[0]?.kill();
    workers[0] = await startTeamWorker(databaseUrl);
    await servers[0]?.kill();
    servers[0] = await startTeamServer(databaseUrl, { workflows });
    expect(await finalStatus(urlOf(1), { workflowId: 'double', runId }, 60_000)).toMatchObject({
      status: 'completed',
    });
    expect(Object.values(await outputOf(urlOf(0), 'double', runId))).toEqual(outputsOf(rows));
  }, 120_000);
});
