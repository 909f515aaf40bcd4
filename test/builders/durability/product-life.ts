// The services that keep promises, over a disk of the test's own: one process from its start to its end. Rows run in
// real row workers, whose pool many lives share: starting processes is not what is looked at here.
import { join } from 'node:path';
import { openSources } from '../../../src-main/app/open-sources.ts';
import type { Log, LogFields } from '../../../src-main/base/log.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { Settings } from '../../../src-main/domain/settings.ts';
import { offlineUpstream } from '../../../src-main/executor/offline-upstream.ts';
import { WorkerPool } from '../../../src-main/executor/worker-pool.ts';
import { KeyService } from '../../../src-main/services/key-service.ts';
import { RunService } from '../../../src-main/services/run-service.ts';
import { SettingsService } from '../../../src-main/services/settings-service.ts';
import { TrustService } from '../../../src-main/services/trust-service.ts';
import { WorkflowService } from '../../../src-main/services/workflow-service.ts';
import { DataFolder } from '../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../src-main/storage/file-system.ts';
import { WorkflowFiles } from '../../../src-main/storage/workflow-files.ts';
import { LeapingClock, overADay } from '../leaping-clock.ts';
import { PowerCutFileSystem } from '../power-cut-file-system.ts';

export type LifeParts = {
  readonly path: string;
  readonly disk: FileSystem;
  readonly pool: WorkerPool;
  readonly workflows: WorkflowService;
  /** 0: each run has a folder, however small it is. */
  readonly mostCompactBytes?: number | undefined;
};

export type ProductLife = {
  readonly folder: DataFolder;
  readonly runs: RunService;
  readonly keys: KeyService;
  readonly settings: SettingsService;
  readonly workflows: WorkflowService;
  /** What a person was told: warnings and errors of the log. */
  readonly told: readonly string[];
  /** Lets more than a day pass, and retention look at the runs that have ended. */
  passDay(): void;
  close(): Promise<void>;
};

/** A timer of so many ms or more never falls due: it is for what repeats while nothing happens. */
const longTimerMs = 600_000;

/** Real time stamps, but no waiting: a timer fires in the next turn. */
class HurriedClock extends LeapingClock {
  override setTimer(ms: number, fire: () => void): () => void {
    if (ms >= longTimerMs) return () => undefined;
    const turn = setImmediate(fire);
    return () => clearImmediate(turn);
  }
}

const workerScript = join(import.meta.dirname, '../../../dist/row-worker.js');

export const openPool = (): WorkerPool =>
  new WorkerPool({ workerScript, clock: systemClock, log: silentLog, timeLimitMs: 5000, memoryMb: 128 });

/** Workflow files on a disk that never fails: they are the user's, and only read. */
export async function workflowsOf(texts: Readonly<Record<string, string>>): Promise<WorkflowService> {
  const fileSystem = new PowerCutFileSystem();
  await fileSystem.makeFolder('/workflows');
  for (const [id, text] of Object.entries(texts)) {
    const file = await fileSystem.open(`/workflows/${id}.workflow.yaml`, 'create');
    await file.write([Buffer.from(text)], 0);
  }
  const files = new WorkflowFiles({ folders: ['/workflows'], fileSystem });
  return new WorkflowService({ files, log: silentLog });
}

/**
 * Throws what a start of the product throws.
 * @param inForce settings of this life in place of the stored ones
 */
export async function beginLife(parts: LifeParts, inForce: Partial<Settings> = {}): Promise<ProductLife> {
  const told: string[] = [];
  const log = tellingLog(told);
  const clock = new HurriedClock();
  const { path, disk: fileSystem, mostCompactBytes } = parts;
  const folder = await DataFolder.open({ path, clock, log, fileSystem, mostCompactBytes });
  const settings = new SettingsService({ document: folder.settings, start: {}, log });
  const runs = new RunService({
    folder,
    workflows: parts.workflows,
    trust: new TrustService({ document: folder.workflows, clock, log }),
    sources: openSources(),
    pool: parts.pool,
    upstreamOf: () => Promise.resolve(offlineUpstream('nothing calls out here')),
    settings: () => ({ ...settings.inForce, ...inForce }),
    clock,
    log,
  });
  settings.facts.listen(() => runs.applySettings());
  const keys = new KeyService({ document: folder.keys, clock, log });
  const close = async (): Promise<void> => {
    await runs.close();
    await keys.close();
    await folder.close();
  };
  const passDay = (): void => {
    clock.leap(overADay);
    runs.retention.ask();
  };
  return { folder, runs, keys, settings, workflows: parts.workflows, told, passDay, close };
}

function tellingLog(told: string[]): Log {
  const tell = ({ error, notice }: LogFields, message: string): void => {
    const details = [notice, error instanceof Error ? error.message : undefined];
    told.push([message, ...details.filter((words) => typeof words === 'string')].join(': '));
  };
  return { ...silentLog, warn: tell, error: tell };
}

/** The lock as a process leaves it that is gone now; ours would be alive. */
export async function leaveStaleLock(disk: FileSystem, path: string): Promise<void> {
  const lock = join(path, 'lock');
  for (const name of [`${lock}.takeover`, `${lock}.takeover.takeover`]) await disk.remove(name);
  if ((await disk.stat(lock)) === undefined) return;
  await disk.remove(lock);
  const file = await disk.open(lock, 'create');
  await file.write([Buffer.from(JSON.stringify({ pid: 2 ** 30, start: null, token: 'gone' }))], 0);
  await file.close();
}
