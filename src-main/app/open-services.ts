// Opens a data folder and the services over it. Who calls: the server, a command line without a server, and a single run
// from a file.
import type { Settings } from '../domain/settings.ts';
import { openAccess } from '../services/access/open.ts';
import { SettingsService } from '../services/access/settings-service.ts';
import { openApi } from '../services/api/open.ts';
import { openAuthoring } from '../services/authoring/open.ts';
import type { Backend, Platform, ServiceOptions } from '../services/platform.ts';
import { openResults } from '../services/results/open.ts';
import { openRowsets } from '../services/rowsets/open.ts';
import { openRuns } from '../services/runs/open.ts';
import type { Services } from '../services/services.ts';
import { openTests } from '../services/tests/open.ts';
import { openWorkflows } from '../services/workflows/open.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { openLocalBackend } from './open-backend.ts';
import { openProcesses } from './open-processes.ts';
import { stopInOrder, type StopStep } from './stop-in-order.ts';

export type OpenedServices = {
  readonly services: Services;
  readonly backend: Backend;
  /** The steps of `close`, for a caller that has more to stop. */
  readonly stopSteps: readonly StopStep[];
  /** Stops executions and writes what is pending; unfinished runs go on at the next start. Never rejects. */
  close(): Promise<void>;
};

/** Throws `data_folder_locked` when another process has the folder, `data_unreadable` when it is damaged. */
export async function openServices(options: ServiceOptions): Promise<OpenedServices> {
  const { clock, log } = options;
  let opened: OpenedProcesses | undefined;
  const open = (folder: DataFolder): OpenedProcesses => (opened ??= openProcessesOver(folder, options));
  try {
    const backend = await (options.openBackend ?? openLocalBackend)(options, open);
    try {
      const platform = { ...open(backend.folder), backend };
      const services = await openRooms(platform);
      const stopSteps = stopStepsOf(services, platform);
      return { services, backend, stopSteps, close: () => stopInOrder(stopSteps, { clock, log }) };
    } catch (error) {
      await backend.stores.close();
      await backend.folder.close();
      throw error;
    }
  } catch (error) {
    await opened?.processes.close();
    throw error;
  }
}

/** Opens each room over the rooms below it. */
async function openRooms(platform: Platform): Promise<Services> {
  const api = openApi(platform);
  const access = await openAccess(platform);
  const workflows = openWorkflows(platform);
  const rowsets = openRowsets(platform);
  const runs = openRuns(platform, { access, workflows });
  const results = openResults(platform, { runs, workflows, rowsets });
  const tests = openTests(platform, runs);
  const authoring = openAuthoring(platform, { runs, workflows, rowsets, access });
  return { authoring, tests, results, runs, workflows, rowsets, access, api };
}

type OpenedProcesses = Omit<Platform, 'backend'>;

/** The processes start while the stores still open. */
function openProcessesOver(folder: DataFolder, options: ServiceOptions): OpenedProcesses {
  const { clock, log } = options;
  const settingsService = new SettingsService({ document: folder.settings, start: options, log });
  // A folder that is only looked into starts no run.
  const bounds = options.executes === false ? { runsAtOnce: 0 } : {};
  const settings = (): Settings => ({ ...settingsService.inForce, ...bounds });
  return { options, clock, log, settings, settingsService, processes: openProcesses(options, settings()) };
}

/**
 * In this order, so that nothing that writes outlives the lock of the data folder. The budgets, with those of start-app.ts,
 * add up to 9 s: with what the command line needs to end its process, a stop takes less than 10 s.
 */
const stopStepsOf = (
  { tests, runs, results, authoring, access }: Services,
  { processes, backend }: Platform,
): readonly StopStep[] => [
  {
    name: 'tests of workflows',
    budgetMs: 250,
    stop: async () => void (await Promise.all([tests.tests.close(), tests.draftTests.close()])),
  },
  // Commits that are under way reach the disk.
  { name: 'runs', budgetMs: 1500, stop: () => runs.runs.close() },
  {
    name: 'rows that run again, counts of chains',
    budgetMs: 250,
    stop: async () => void (await Promise.all([results.traces.close(), results.chains.close()])),
  },
  { name: 'previews of drafts', budgetMs: 50, stop: () => authoring.previews.close() },
  { name: 'row workers and file parser', budgetMs: 450, stop: () => processes.close() },
  {
    name: 'calls to services',
    budgetMs: 250,
    stop: async () => void (await Promise.all([runs.broker.close(), runs.hosted.broker.close()])),
  },
  {
    name: 'uses of keys, and drafts',
    budgetMs: 250,
    stop: async () => void (await Promise.all([access.keys.close(), authoring.drafts.close()])),
  },
  { name: 'store of runs', budgetMs: 1000, stop: () => backend.stores.close() },
  // Kept when something may still write: the next start finds that its owner is gone, and takes the folder over.
  {
    name: 'lock of the data folder',
    budgetMs: 250,
    stop: () => backend.folder.close(),
    onlyAfterAll: true,
  },
];
