// The services over a data folder and real row workers, without a server.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { openServices, type OpenedServices } from '../../src-main/app/open-services.ts';
import type { ServiceOptions } from '../../src-main/services/platform.ts';
import type { Clock } from '../../src-main/base/clock.ts';
import { silentLog, type Log } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import type { Run } from '../../src-main/domain/run/run.ts';
import type { Settings } from '../../src-main/domain/settings.ts';
import type { RunInputs } from '../../src-main/services/runs/new-run.ts';
import { allServices, type AllServices } from './all-services.ts';
import { oneStorageThread, sharedProcesses } from './processes-for-tests.ts';
import { startFakeHosted, type HostedWorkflow } from './fake-hosted.ts';
import { hastyClock } from './hasty-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

export type TestServices = AllServices & {
  readonly rooms: OpenedServices['services'];
  readonly folder: OpenedServices['backend']['folder'];
  readonly dataDir: string;
  close(): Promise<void>;
  /** Writes or replaces a workflow file. */
  write(id: string, text: string): Promise<void>;
  /** Starts a run of a workflow; resolves once it is accepted. */
  start(workflowId: string, rows: readonly unknown[], inputs?: RunInputs): Promise<Run>;
  /** The rows' outputs in row order; undefined for a row without one. */
  outputs(runId: string): Promise<unknown[]>;
};

type TestServicesOptions = {
  readonly dataDir?: string;
  readonly clock?: Clock;
  readonly executes?: boolean;
  readonly log?: Log;
  readonly maxTraceBytes?: number;
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<Settings>;
  /** In place of the data folder's own stores. */
  readonly openBackend?: ServiceOptions['openBackend'];
  /** A hosted service that computes the outputs, and at which all runs are that name nothing else. */
  readonly hostedBy?: HostedWorkflow | undefined;
  /** true: a second storage thread reads, as in a server. Without it the writer reads too, which saves 0.1 s of computing. */
  readonly hasReadThread?: boolean;
  /** In place of parsing in this process. */
  readonly parser?: ServiceOptions['parser'];
  /** true: row workers and a file parser of these services alone, as a server has them. */
  readonly ownProcesses?: boolean;
  /** Callback that gets `close` of services that several tests use; default: the end of the test closes them. */
  readonly onOpen?: (close: () => Promise<void>) => void;
};

export async function openTestServices(
  workflows: Record<string, string>,
  options: TestServicesOptions = {},
): Promise<TestServices> {
  const dataDir = options.dataDir ?? join(await temporaryFolder(), 'data');
  const folder = join(dataDir, 'workflows');
  await mkdir(folder, { recursive: true });
  const write = (id: string, text: string): Promise<void> =>
    writeFile(join(folder, `${id}.workflow.yaml`), text);
  for (const [id, text] of Object.entries(workflows)) await write(id, text);
  if (options.settings !== undefined)
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, ...options.settings }));
  const { hostedBy } = options;
  const {
    clock = hostedBy === undefined ? systemClock : hastyClock(20),
    executes = true,
    log = silentLog,
    maxTraceBytes,
  } = options;
  const opened = await openServices({
    dataDir,
    workerScript,
    ...(options.hasReadThread === true ? {} : oneStorageThread),
    ...(options.openBackend === undefined ? {} : { openBackend: options.openBackend }),
    ...(options.ownProcesses === true ? {} : sharedProcesses(options.settings)),
    ...(options.parser === undefined ? {} : { parser: options.parser }),
    clock,
    log,
    executes,
    maxTraceBytes,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await opened.close();
    isOpen = false;
  };
  (options.onOpen ?? onTestFinished)(close);
  const rooms = opened.services;
  const services = allServices(rooms);
  await services.workflows.refresh();
  await services.runs.recover();
  const atService =
    hostedBy === undefined ? undefined : await connect(rooms, Object.keys(workflows), hostedBy);
  const start: TestServices['start'] = async (workflowId, rows, inputs = atService) => {
    const workflow = await services.workflows.find(workflowId);
    if (workflow === undefined) throw new Error(`no workflow ${workflowId}`);
    const draft = await services.runs.beginRun({
      workflow,
      origin: { kind: 'cli' },
      ...(inputs === undefined ? {} : { inputs }),
    });
    await draft.write(Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
    return draft.accept(rows.length);
  };
  const { folder: dataFolder } = opened.backend;
  const outputs = (runId: string) => readAll(services, runId);
  return { ...services, rooms, folder: dataFolder, dataDir, write, start, close, outputs };
}

/** Connects a service that has these workflows; returns the inputs of a run there. */
async function connect(
  { runs }: OpenedServices['services'],
  workflows: readonly string[],
  compute: HostedWorkflow,
): Promise<RunInputs> {
  const service = await startFakeHosted(Object.fromEntries(workflows.map((id) => [id, compute])));
  onTestFinished(() => service.close());
  const { url, key } = service;
  await runs.hosted.connections.add({ name: 'prod', url, header: 'x-acme-key', key, sharePercent: 100 });
  return { hosted: { connection: 'prod' } };
}

async function readAll(services: AllServices, runId: string): Promise<unknown[]> {
  const chunks: Uint8Array[] = [];
  for await (const { bytes } of services.runs.readOutputs(runId)) chunks.push(bytes);
  const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  return lines.map((line): unknown => (line === '' ? undefined : JSON.parse(line)));
}
