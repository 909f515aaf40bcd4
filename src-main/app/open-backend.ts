// Opens a data folder of this machine for the services.
import type { Log } from '../base/log.ts';
import { MemoryLimitWindows } from '../services/api/limit-windows.ts';
import { LocalRuns } from '../services/runs/local-runs.ts';
import { openDataFolder, type DataFolder } from '../storage/data-folder.ts';
import { checkRuns, openRunStores } from '../storage/runs/open-run-stores.ts';
import { StoredAnswers } from '../storage/runs/stored-answers.ts';
import { siblingOfWorker, type Backend, type ServiceOptions } from '../services/platform.ts';
import { version } from '../base/version.ts';

/** Throws `data_folder_locked` when another process has the folder, `data_unreadable` when it is damaged. */
export async function openLocalBackend(
  options: ServiceOptions,
  onFolder?: (folder: DataFolder) => void,
): Promise<Backend> {
  const { clock, log, workerScript } = options;
  const folder = await openDataFolder({ ...options, path: options.dataDir, version });
  try {
    onFolder?.(folder);
    const script = siblingOfWorker(workerScript, 'storage-thread.cjs');
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
      openCassette: (id, file) => folder.cassettes.openCassette(id, file),
      sharedAnswersOf: (runId) => new StoredAnswers({ database, clock, runId }),
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
