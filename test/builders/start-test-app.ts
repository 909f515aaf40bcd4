// The whole app in this process, on a free port and a data folder of its own, as a script would meet it.
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningMetrics } from '../../src-main/app/metrics/open-metrics.ts';
import type { PublicListen } from '../../src-main/app/open-http-servers.ts';
import { startApp, type AppOptions, type RunningApp } from '../../src-main/app/start-app.ts';
import type { Clock } from '../../src-main/base/clock.ts';
import { silentLog, type Log } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import type { Run } from '../../src-main/domain/run/run.ts';
import { snapshotsOf } from '../../src-main/domain/run/stored-run.ts';
import type { ReadyCheck } from '../../src-main/services/ports.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import type { LimitMode, Settings } from '../../src-main/domain/settings.ts';
import { withRunStores } from './run-stores.ts';
import { allServices, type AllServices } from './all-services.ts';
import { oneStorageThread, sharedProcesses } from './processes-for-tests.ts';
import { storedRuns } from './stored-runs.ts';

const rowWorkerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

type CallInit = {
  readonly method?: string;
  /** null: no key header at all. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

export type TestApp = Omit<RunningApp, 'services'> & {
  readonly services: AllServices;
  readonly port: number;
  readonly dataDir: string;
  /** A key for all workflows. */
  readonly key: string;
  createKey(workflows: readonly string[] | null): Promise<string>;
  /** One request; the body of the answer must be JSON. */
  call(path: string, init?: CallInit): Promise<Reply>;
  trigger(workflowId: string, body: string | Uint8Array<ArrayBuffer>, init?: CallInit): Promise<Reply>;
  /** Starts a run and gives its id. */
  run(workflowId: string, rows: readonly unknown[]): Promise<string>;
  /** The names of all that is stored of runs, whole or half. */
  storedRuns(): Promise<readonly string[]>;
};

type TestAppOptions = {
  readonly workflows: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly limits?: LimitMode;
  readonly maxTraceBytes?: number;
  readonly settings?: Partial<Settings>;
  /** File system of the data folder; default: the machine's own. */
  readonly fileSystem?: FileSystem;
  /** Folder of the pages; without it the server has none. */
  readonly pagesFolder?: string;
  /** Runs that an earlier start has stored, as records only. */
  readonly runs?: readonly Run[];
  /** Stands in for the row worker. */
  readonly workerScript?: string;
  /** true: row workers and a file parser of this app alone, as `rowbench serve` has them. */
  readonly ownProcesses?: boolean;
  /** true: a second storage thread reads, as in a server. Without it the writer reads too, which saves 0.1 s of computing. */
  readonly hasReadThread?: boolean;
  /** A folder of the caller's, kept when the app closes; the next app goes on with it. */
  readonly home?: string;
  /** 0 without it: any free port. */
  readonly port?: number;
  /** `tokens`: users sign in with access tokens. */
  readonly access?: 'tokens';
  readonly accessStore?: AppOptions['accessStore'];
  readonly isHttps?: boolean;
  /** An address that other machines reach, and what its readiness depends on. */
  readonly listen?: PublicListen;
  readonly readyChecks?: readonly ReadyCheck[];
  readonly metrics?: RunningMetrics;
  /** Connection to the hosted service that executes runs of scripts. */
  readonly gateway?: string | undefined;
};

export const workflowPath = (id: string): string => `/api/v1/workflows/${id}/runs/async`;
export const statusPath = (id: string, runId: string): string =>
  `/api/v1/workflows/${id}/runs/${runId}/async/status`;
export const outputPath = (id: string, runId: string): string =>
  `/api/v1/workflows/${id}/runs/${runId}/async/response`;

export async function startTestApp(options: TestAppOptions): Promise<TestApp> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'rowbench-test-')));
  const dataDir = join(home, 'data');
  await mkdir(join(dataDir, 'workflows'), { recursive: true });
  for (const [id, text] of Object.entries(options.workflows)) {
    await writeFile(join(dataDir, 'workflows', `${id}.workflow.yaml`), text);
  }
  if (options.settings !== undefined) {
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, ...options.settings }));
  }
  if (options.runs !== undefined) await storeRecords(dataDir, options.runs);
  const { clock = systemClock, log = silentLog, limits, pagesFolder, port = 0 } = options;
  const { maxTraceBytes, fileSystem, access, accessStore, isHttps } = options;
  const { listen, readyChecks = [], metrics } = options;
  const workerScript =
    options.workerScript === undefined ? rowWorkerScript : await copyWithParser(options.workerScript, home);
  const running = await startApp({
    dataDir,
    port,
    workerScript,
    ...(options.workerScript === undefined && options.ownProcesses !== true
      ? sharedProcesses(options.settings)
      : {}),
    ...(options.hasReadThread === true ? {} : oneStorageThread),
    pagesFolder,
    maxTraceBytes,
    fileSystem,
    access,
    accessStore,
    isHttps,
    listen,
    readyChecks,
    metrics,
    gateway: options.gateway,
    clock,
    log,
    ...(limits ? { limits } : {}),
  });
  const app = { ...running, services: allServices(running.services) };
  const createKey = async (workflows: readonly string[] | null): Promise<string> =>
    (await app.services.keys.create({ name: 'test', workflows })).secret;
  const key = await createKey(null);
  const call = (path: string, init: CallInit = {}): Promise<Reply> =>
    send(`${app.url}${path}`, { key, ...init });
  const trigger: TestApp['trigger'] = (workflowId, body, init = {}) =>
    call(workflowPath(workflowId), {
      method: 'POST',
      body,
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
  return {
    ...app,
    port: Number(new URL(app.url).port),
    dataDir,
    key,
    createKey,
    call,
    trigger,
    run: async (workflowId, rows) => {
      const reply = await trigger(workflowId, JSON.stringify({ rows }));
      if (reply.status !== 201) throw new Error(`trigger answered ${JSON.stringify(reply.body)}`);
      return (reply.body as { data: { runId: string } }).data.runId;
    },
    storedRuns: () => storedRuns(dataDir),
    close: async () => {
      await app.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Runs with records alone: rows without fields, and no outputs. */
function storeRecords(dataDir: string, runs: readonly Run[]): Promise<void> {
  return withRunStores(dataDir, async (stores) => {
    for (const run of runs) {
      for (const hash of snapshotsOf(run)) await stores.database.write('putSnapshot', hash, 'workflow', '');
      const writer = await stores.runs.openRunWriter();
      await writer.append({ bytes: Buffer.from('{}\n'.repeat(run.rows)) });
      await writer.commit(run);
    }
  });
}

/** A copy of the script in a folder that has the parser of workflow files as well, as the build's folder does. */
async function copyWithParser(script: string, home: string): Promise<string> {
  const folder = join(home, 'programs');
  await cp(dirname(rowWorkerScript), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('renderer'),
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const copied = join(folder, basename(script));
  await copyFile(script, copied);
  return copied;
}

async function send(
  url: string,
  { method = 'GET', key = null, headers = {}, body }: CallInit,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...(key === null ? {} : { 'x-service-key': key }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Workflows in the states that a contract speaks of. */
export const sampleWorkflows = {
  echo: `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { row: "=row" } }
`,
  waiting: `rowbench: 1
id: waiting
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`,
  failing: `rowbench: 1
id: failing
nodes:
  - { id: input, type: input }
  - { id: company, type: fail, message: "HTTP 500 from GET https://example.com", rows: [3] }
  - { id: result, type: output, after: [company], fields: { n: "=row.n" } }
`,
  broken: `rowbench: 1
id: broken
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=nodes.missing" } }
`,
} as const;

export const failure = (message: string) => ({ success: false, error: message });
