// Everything under a data folder but `rowbench.db` (`open-run-stores.ts`), with one writer. Who calls: `app/start-app.ts`
// opens it and passes its stores to the services. Outside storage, code only knows the path of its folder of workflow files.
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { dataUnreadable } from '../domain/store-errors.ts';
import type { TokensFile } from '../domain/access/access-token.ts';
import type { HostedFile } from '../domain/hosted/hosted-connection.ts';
import type { KeysFile } from '../domain/keys/api-key.ts';
import type { BrowsersFile } from '../domain/paired-browser.ts';
import type { RetentionFile } from '../domain/run/retention-file.ts';
import type { Settings } from '../domain/settings.ts';
import type { WorkflowsFile } from '../domain/trust/workflows-file.ts';
import { CassetteStore } from './cassettes/cassette-store.ts';
import { clearTemporaries } from './durable/durable-files.ts';
import { FolderLock } from './durable/folder-lock.ts';
import { createStoreDeps, type StoreDeps } from './durable/store-deps.ts';
import { diskReason, orUnreadable } from '../files/read-bytes.ts';
import type { KeySeal } from './documents/key-file-vault.ts';
import { type FileSystem, hasCode } from '../files/file-system.ts';
import type { StoredDocument } from './documents/json-document.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { databaseName } from './runs/run-database.ts';
import {
  openBrowsers,
  openDecisions,
  openHosted,
  openKeys,
  openRetention,
  openSecrets,
  openSettings,
  openTokens,
  type StoredSecrets,
} from './documents/open-documents.ts';
import { DraftStore } from './documents/draft-store.ts';
import { ImportStore } from './documents/import-store.ts';
import { ServerInfoFile } from './documents/server-info-file.ts';
import { type StoreHealth, reportShortages } from './runs/store-health.ts';
import { TextHistory } from './documents/text-history.ts';
import { backUpBefore } from './documents/version-backup.ts';

type DataFolderOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly fileSystem?: FileSystem | undefined;
  /** Seals the key of the secrets. */
  readonly keySeal?: KeySeal | undefined;
  /** Version of the program. If another version used the folder before, the documents are copied first. */
  readonly version?: string;
};

type Contents = {
  readonly settings: StoredDocument<Settings>;
  readonly keys: StoredDocument<KeysFile>;
  readonly browsers: StoredDocument<BrowsersFile>;
  readonly workflows: StoredDocument<WorkflowsFile>;
  readonly retention: StoredDocument<RetentionFile>;
  readonly secrets: StoredSecrets;
  /** Connections to hosted services; the vault of the secrets opens their keys. */
  readonly hosted: StoredDocument<HostedFile>;
  readonly imports: ImportStore;
  readonly cassettes: CassetteStore;
  readonly drafts: DraftStore;
  readonly history: TextHistory;
  readonly serverInfo: ServerInfoFile;
  /** Access tokens, for a server with users. Throws `data_unreadable`. */
  readonly openTokens: () => Promise<StoredDocument<TokensFile>>;
};

export type DataFolder = Contents & {
  readonly path: string;
  readonly fileSystem: FileSystem;
  readonly health: StoreHealth;
  /** True if the last process that had the folder ended without closing it. */
  readonly wasCrashed: boolean;
  /** Messages for the user about files that were set aside, repaired or left alone. */
  readonly notices: readonly string[];
  /** Adds a notice. */
  readonly report: (notice: string) => void;
  /** Bytes that the folder holds, and bytes that are free on its disk. Throws `data_unreadable`. */
  measure(): Promise<{ readonly usedBytes: number; readonly freeBytes: number }>;
  /** Releases the folder for other processes. Call it after all users of the folder have ended. */
  close(): Promise<void>;
};

/**
 * Opens and locks the folder, creates it if necessary, and removes the leftovers of a crash. Throws
 * `data_folder_locked` (names the owner's pid) or `data_unreadable`.
 */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const { clock, log } = options;
  const fileSystem = reportShortages(options.fileSystem ?? nodeFileSystem, clock);
  const path = resolve(options.path);
  const notices: string[] = [];
  const report = (notice: string): void => {
    notices.push(notice);
    log.warn({ notice }, 'stored data needed repair');
  };
  const deps = createStoreDeps({ fileSystem, clock, log, report });
  try {
    await claimFolder(deps, path);
    await assertLocalDisk(path);
    const lock = await FolderLock.acquire({ fileSystem, clock, path: join(path, 'lock'), folder: path });
    try {
      if (options.version !== undefined) await backUpBefore(options.version, path, deps);
      return {
        ...(await openContents(deps, path, options.keySeal)),
        path,
        fileSystem,
        health: deps.health,
        wasCrashed: lock.wasStale,
        notices,
        report,
        measure: () =>
          orUnreadable(path, async () => ({
            usedBytes: await measureFolder(fileSystem, path),
            freeBytes: await fileSystem.freeBytes(path),
          })),
        close: () => orUnreadable('lock', () => lock.release()),
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'store_degraded') throw error;
    const cause = error instanceof AppError ? error.cause : error;
    throw dataUnreadable(`the data folder ${path} cannot be used (${diskReason(cause)})`, error);
  }
}

/** Creates the folder, or makes an existing data folder private. A folder with other content keeps its mode. */
async function claimFolder({ fileSystem, files }: StoreDeps, path: string): Promise<void> {
  if (await files.makeFolder(path)) return;
  const names = await fileSystem.list(path);
  const isOurs = [databaseName, 'settings.json', 'lock'].some((name) => names.includes(name));
  if (names.length === 0 || isOurs) await fileSystem.makePrivate(path);
}

async function openContents(deps: StoreDeps, path: string, keySeal?: KeySeal): Promise<Contents> {
  const { fileSystem, files } = deps;
  const cassetteFolder = join(path, 'cassettes');
  await files.makeFolder(cassetteFolder);
  for (const folder of [path, cassetteFolder]) await clearTemporaries(fileSystem, folder);
  await reportOlderRuns(deps, path);
  const imports = new ImportStore(deps, join(path, 'workflows'));
  await imports.clearLeftovers();
  const serverInfo = new ServerInfoFile(deps, path);
  // The server that the file names has ended: the lock is ours.
  await serverInfo.remove();
  return {
    settings: await openSettings(deps, path),
    keys: await openKeys(deps, path),
    browsers: await openBrowsers(deps, path),
    workflows: await openDecisions(deps, path),
    retention: await openRetention(deps, path),
    secrets: await openSecrets(deps, path, keySeal),
    hosted: await openHosted(deps, path),
    imports,
    cassettes: new CassetteStore(deps, cassetteFolder),
    drafts: new DraftStore(deps, join(path, 'drafts')),
    history: new TextHistory(deps, join(path, 'history')),
    serverInfo,
    openTokens: () => openTokens(deps, path),
  };
}

/** Throws `data_unreadable` for a folder on a network file system. */
async function assertLocalDisk(path: string): Promise<void> {
  const network = await findNetworkDisk(path);
  if (network !== undefined)
    throw dataUnreadable(
      `the data folder ${path} is on a network file system (${network}), where runs cannot be stored safely. Name a folder on a local disk`,
    );
}

/** Runs of a version before `rowbench.db` are neither shown nor changed. */
async function reportOlderRuns({ fileSystem, report }: StoreDeps, path: string): Promise<void> {
  const folder = join(path, 'runs');
  const names = (await fileSystem.stat(folder)) === undefined ? [] : await fileSystem.list(folder);
  if (names.length > 0)
    report(
      `${folder} holds runs in the format of an earlier version. This version leaves them as they are and does not show them.`,
    );
}

/** Files measured at once: enough to use the disk, too few to block other users of it. */
const atOnce = 16;

/** Bytes of all files in the folder. Files that disappear meanwhile and targets of links do not count. */
async function measureFolder(fileSystem: FileSystem, folder: string): Promise<number> {
  let bytes = 0;
  const waiting = [(await fileSystem.realPath(folder)) ?? folder];
  const look = async (path: string): Promise<void> => {
    if ((await fileSystem.realPath(path)) !== path) return;
    const found = await fileSystem.stat(path);
    if (found?.isFile === true) bytes += found.size;
    if (found?.isFolder === true) waiting.push(...(await namesIn(fileSystem, path)));
  };
  while (waiting.length > 0) await Promise.all(waiting.splice(0, atOnce).map(look));
  return bytes;
}

async function namesIn(fileSystem: FileSystem, folder: string): Promise<string[]> {
  try {
    return (await fileSystem.list(folder)).map((name) => join(folder, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** Types of file systems that other machines share, as Linux numbers them (statfs(2)). */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** The name of a network file system by its number; undefined for any other. */
export const networkDiskOf = (type: number): string | undefined => networkTypes.get(type >>> 0);

/**
 * The name of the network file system that a folder is on: SQLite's write-ahead log needs memory that all processes
 * share, which only one machine has. Undefined for a local disk, and on systems that do not tell.
 */
async function findNetworkDisk(folder: string): Promise<string | undefined> {
  return process.platform === 'linux' ? networkDiskOf((await statfs(folder)).type) : undefined;
}
