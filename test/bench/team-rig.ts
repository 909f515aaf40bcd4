// The servers that the benchmarks of teams use together; what a test opens ends after it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { PostgresServer } from '../builders/postgres-server.ts';
import { dropConnections, startProgram, startRowbench, writeWorkflows, type Subject } from './subjects.ts';
import { startDurablePostgres, startTeam, type BenchTeam } from './team-peers.ts';

/** Time limit of one benchmark, in ms. */
export const longest = 1_800_000;

const slowWorkflow = `rowbench: 1
id: slow
concurrency: 2
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1s }
  - { id: result, type: output, after: [wait], fields: { n: "=row.id" } }
`;

export function openTeamRig() {
  let folder: string;
  let workflows: string;
  let postgres: PostgresServer;
  let service: Awaited<ReturnType<typeof startProgram>>;
  let open: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowbench-bench-'));
    service = await startProgram('slow-service.mjs');
    workflows = await writeWorkflows(folder, `http://127.0.0.1:${service.port}/`);
    await writeFile(join(workflows, 'slow.workflow.yaml'), slowWorkflow);
    postgres = await startDurablePostgres();
  }, 120_000);

  afterEach(async () => {
    dropConnections();
    await Promise.all(open.map((each) => each.stop()));
    open = [];
    const load = loadavg().map((each) => each.toFixed(1));
    process.stdout.write(`      load average ${load.join(' ')}\n`);
  }, 120_000);

  afterAll(async () => {
    await postgres.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  const opened = async <Each extends { stop(): Promise<void> }>(starting: Promise<Each>): Promise<Each> => {
    const started = await starting;
    open.push(started);
    return started;
  };
  return {
    pathOf: (name: string): string => join(folder, name),
    postgres: () => postgres,
    opened,
    teamOf: (workers: number, slots?: number): Promise<BenchTeam> =>
      opened(startTeam({ postgres, workflows, workers, ...(slots === undefined ? {} : { slots }) })),
    local: (): Promise<Subject> =>
      opened(startRowbench({ dataDir: join(folder, `data-${Date.now()}`), workflows })),
  };
}
