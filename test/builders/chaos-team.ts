// A team of processes over a PostgreSQL server of its own, all of which end as a test likes, and a watch over its runs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { migrateDatabase } from '../../src-main/team/admin/migrate-database.ts';
import { callApi, trigger } from './api-client.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { openPool } from './team-database.ts';
import {
  startTeamServer,
  startTeamWorker,
  type TeamProcess,
  type TeamServerProcess,
} from './team-processes.ts';

const flow = (id: string, nodes: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
${nodes}
`;
const output = (after: string, twice: string): string =>
  `  - { id: result, type: output${after}, fields: { n: "=row.n", twice: "=${twice}" } }`;
const flows = {
  text: flow('text', output('', 'row.n * 2')),
  code: flow('code', `  - { id: x, type: code, code: "return row.n * 2;" }\n${output('', 'nodes.x')}`),
  slow: flow(
    'slow',
    `  - { id: wait, type: delay, for: 1s }\n${output(', after: [wait]', 'row.n * 2')}`,
  ).replace('nodes:', 'concurrency: 2\nnodes:'),
};

type AcceptedRun = { readonly runId: string; readonly workflowId: string; readonly rows: number };

/** Statuses in the order in which a run has them that no user moves. */
const order = ['queued', 'running', 'completed'];

export type ChaosTeam = ReturnType<typeof chaosTeam>;

export async function openChaosTeam(counts: { readonly servers: number; readonly workers: number }) {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('team');
  const pool = openPool(databaseUrl);
  await migrateDatabase(pool);
  await pool.close();
  const workflows = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  for (const [id, text] of Object.entries(flows))
    await writeFile(join(workflows, `${id}.workflow.yaml`), text);
  const servers: TeamServerProcess[] = [];
  const workers: TeamProcess[] = [];
  for (let count = 0; count < counts.servers; count += 1)
    servers.push(await startTeamServer(databaseUrl, { workflows }));
  for (let count = 0; count < counts.workers; count += 1)
    workers.push(await startTeamWorker(databaseUrl, { name: `worker-${count}` }));
  return chaosTeam({ postgres, databaseUrl, workflows, servers, workers });
}

type Parts = {
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
  readonly workflows: string;
  readonly servers: TeamServerProcess[];
  readonly workers: TeamProcess[];
};

function chaosTeam({ postgres, databaseUrl, workflows, servers, workers }: Parts) {
  const accepted: AcceptedRun[] = [];
  const completed = new Set<string>();
  const urlOf = (index: number): string => servers[index]?.url ?? '';
  const ask = <Row extends object>(text: string, values: unknown[] = []) =>
    askOf<Row>(databaseUrl, text, values);
  return {
    servers,
    workers,
    accepted,
    urlOf,
    /** Accepted runs that are not known to have ended. */
    get unfinished(): number {
      return accepted.length - completed.size;
    },
    trigger: async (workflowId: string, rows: readonly unknown[], server: number): Promise<AcceptedRun> => {
      const run = { runId: await trigger(urlOf(server), workflowId, rows), workflowId, rows: rows.length };
      accepted.push(run);
      return run;
    },
    /** The worker that has a segment of the run. */
    workerOf: async (runId: string): Promise<number | undefined> => {
      const [found] = await ask<{ worker: string }>(
        `select worker from rowbench.segments join rowbench.runs using (owner)
         where run_id = $1 and state = 'running' order by first_row limit 1`,
        [runId],
      );
      return found && Number(found.worker.replace('worker-', ''));
    },
    killWorker: async (index: number): Promise<void> => {
      await workers[index]?.kill();
      workers[index] = await startTeamWorker(databaseUrl, { name: `worker-${index}` });
    },
    killServer: async (index: number): Promise<void> => {
      await servers[index]?.kill();
      servers[index] = await startTeamServer(databaseUrl, { workflows });
    },
    freezeWorker: async (index: number, ms: number): Promise<void> => {
      const { child } = workers[index]!;
      child.kill('SIGSTOP');
      await setTimeout(ms);
      child.kill('SIGCONT');
    },
    cutConnections: () =>
      ask(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = $1',
        ['team'],
      ),
    crashDatabase: async (downMs: number): Promise<void> => {
      await postgres.crash();
      await setTimeout(downMs);
      await postgres.start();
    },
    /** Looks at the accepted runs until the signal comes; resolves to the wrong reports. */
    watch: (signal: AbortSignal): Promise<readonly string[]> =>
      watchRuns({ accepted, completed, signal, urlOf, ask }),
    untilCompleted: async (withinMs: number): Promise<void> => {
      const until = performance.now() + withinMs;
      for (;;) {
        const open = await ask<{ run_id: string; record: string; segments: string }>(
          `select run_id, record, (select json_agg(s)::text from (select first_row, state, worker from rowbench.segments s
             where s.owner = r.owner and state <> 'done') s) as segments
           from rowbench.runs r where status <> 'completed'`,
        ).catch((error: unknown) => [String(error)]);
        if (open.length === 0) break;
        if (performance.now() > until) throw new Error(`not completed: ${JSON.stringify(open)}`);
        await setTimeout(50);
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([...servers, ...workers].map((each) => each.kill()));
      await postgres.stop();
      await rm(workflows, { recursive: true, force: true });
    },
  };
}

type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<readonly Row[]>;

type WatchOptions = {
  readonly accepted: readonly AcceptedRun[];
  readonly completed: Set<string>;
  readonly signal: AbortSignal;
  readonly urlOf: (index: number) => string;
  readonly ask: Ask;
};

async function watchRuns({
  accepted,
  completed,
  signal,
  urlOf,
  ask,
}: WatchOptions): Promise<readonly string[]> {
  const wrong: string[] = [];
  const last = new Map<string, { status: number; rows: number }>();
  const note = (run: AcceptedRun, name: string, rows: number): void => {
    const before = last.get(run.runId) ?? { status: 0, rows: 0 };
    const status = order.indexOf(name);
    if (status < before.status) wrong.push(`${run.runId} went back to ${name}`);
    if (rows < before.rows) wrong.push(`${run.runId} had ${before.rows} rows, and then ${rows}`);
    if (name === 'completed' && rows !== run.rows) wrong.push(`${run.runId} completed with ${rows} rows`);
    last.set(run.runId, { status, rows });
    if (name === 'completed') completed.add(run.runId);
  };
  for (let turn = 0; !signal.aborted; turn += 1) {
    await setTimeout(50);
    const open = accepted.filter(({ runId }) => !completed.has(runId));
    for (const run of open.slice(0, 3)) {
      const path = `/api/v1/workflows/${run.workflowId}/runs/${run.runId}/async/status`;
      const answer = await callApi(urlOf(turn % 2), path).catch(() => undefined);
      if (answer === undefined || answer.status >= 500) continue;
      if (answer.status !== 200) wrong.push(`${run.runId} was answered with ${answer.status}`);
      const before = last.get(run.runId);
      const { status = '' } = (answer.body['data'] ?? {}) as { status?: string };
      if (before !== undefined && order.indexOf(status) < before.status)
        wrong.push(`${run.runId} went back to ${status}`);
      if (before !== undefined) last.set(run.runId, { ...before, status: order.indexOf(status) });
    }
    const stored = await ask<{ run_id: string; status: string; rows: number }>(
      `select run_id, status, (select sum(rows_done)::integer from rowbench.segments s where s.owner = r.owner) as rows
       from rowbench.runs r where run_id = any($1)`,
      [open.map(({ runId }) => runId)],
    ).catch(() => undefined);
    for (const run of stored === undefined ? [] : open) {
      const found = stored?.find(({ run_id: runId }) => runId === run.runId);
      if (found === undefined) wrong.push(`${run.runId} is gone`);
      else note(run, found.status, found.rows);
    }
  }
  return wrong;
}

async function askOf<Row extends object>(
  url: string,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
