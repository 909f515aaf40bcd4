// What the services stand on: a data folder of this machine, or the database of a team (open-team-backend.ts).
import type { Log } from '../base/log.ts';
import { MemoryLimitWindows, type LimitWindows } from '../services/limit-windows.ts';
import { LocalRuns, type LocalRunsDeps } from '../services/local-runs.ts';
import type { UnfinishedRunListeners, UnfinishedRuns } from '../services/ports.ts';
import { openDataFolder, type DataFolder } from '../storage/data-folder.ts';
import { checkRuns, openRunStores, type RunStores } from '../storage/open-run-stores.ts';
import type { ServiceOptions } from './service-options.ts';
import { siblingOfWorker } from './sibling-of-worker.ts';
import type { NetworkDeps } from './upstreams.ts';
import { version } from './version.ts';

export type UnfinishedRunsDeps = LocalRunsDeps &
  Pick<NetworkDeps, 'networkOf'> & {
    /** Upstreams of runs whose calls may reach these networks. */
    readonly upstreamsWithin: (networkOf: NetworkDeps['networkOf']) => LocalRunsDeps['upstreamOf'];
  };

export type Backend = {
  /** The files of this process, with the small documents, wherever they are. */
  readonly folder: DataFolder;
  /** `close` ends what this process does with them. */
  readonly stores: Omit<RunStores, 'database'> & { close(): Promise<void> };
  readonly windows: LimitWindows;
  /** Opens the runs that have not ended. */
  readonly openUnfinished: (deps: UnfinishedRunsDeps, listeners: UnfinishedRunListeners) => UnfinishedRuns;
};

/** Throws `data_folder_locked` when another process has the folder, `data_unreadable` when it is damaged. */
export async function openLocalBackend(options: ServiceOptions): Promise<Backend> {
  const { clock, log, workerScript } = options;
  const folder = await openDataFolder({ ...options, path: options.dataDir, version });
  try {
    const script = siblingOfWorker(workerScript, 'storage-thread.js');
    const { database, ...stores } = await openRunStores(folder, {
      script,
      clock,
      threads: options.isShort === true ? 'writer' : 'both',
      onDied: (error) => {
        log.error({ error }, 'the storage thread has ended: Rowbench cannot go on');
        options.onStoreDied?.(error);
      },
    });
    const checked = folder.wasCrashed ? reportDamage(checkRuns(folder, script), log) : undefined;
    const close = async (): Promise<void> => {
      await database.close();
      await checked;
    };
    return {
      folder,
      stores: { ...stores, close },
      windows: new MemoryLimitWindows(clock),
      openUnfinished: (deps, listeners) => new LocalRuns(deps, listeners),
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Logs damage before a reader meets it; reading a damaged page fails in any case. */
async function reportDamage(check: Promise<readonly string[]>, log: Log): Promise<void> {
  try {
    const problems = await check;
    if (problems.length > 0) log.error({ problems }, 'rowbench.db is damaged');
  } catch (error) {
    log.warn({ error }, 'rowbench.db could not be looked through');
  }
}
