// Everything under a data folder but `rowbench.db` (`open-run-stores.ts`), with one writer. Who calls: `app/start-app.ts`
// opens it; the stores that it holds go to the services. Outside storage, only the folder of workflow files below it has a known path.
import { join, resolve } from 'node:path';
import { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { dataUnreadable } from '../domain/errors.ts';
import { keysFileSchema, type KeysFile } from '../domain/keys/api-key.ts';
import type { RetentionFile } from '../domain/run/retention-file.ts';
import { defaultSettings, settingsSchema, type Settings } from '../domain/settings.ts';
import type { WorkflowsFile } from '../domain/trust/workflows-file.ts';
import { CassetteStore } from './cassettes/cassette-store.ts';
import { clearTemporaries, DurableFiles } from './durable/durable-files.ts';
import { FolderLock } from './durable/folder-lock.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { diskReason, orUnreadable } from '../files/read-bytes.ts';
import type { KeySeal } from './key-file-vault.ts';
import { measureFolder } from './measure-folder.ts';
import type { FileSystem } from '../files/file-system.ts';
import { openWorkflowsIn } from './find-keeper.ts';
import { JsonDocument } from './json-document.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { findNetworkDisk } from './network-disk.ts';
import { openRetentionIn } from './open-retention.ts';
import { databaseName } from './run-database.ts';
import { openSecretsIn, type StoredSecrets } from './open-stored-secrets.ts';
import { reportShortages } from './report-shortages.ts';
import { ImportStore } from './import-store.ts';
import { ServerInfoFile } from './server-info-file.ts';
import { StoreHealth } from './store-health.ts';
import { backUpBefore } from './version-backup.ts';

export type OpenDataFolder = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly fileSystem?: FileSystem | undefined;
  /** Seals the key of the secrets. */
  readonly keySeal?: KeySeal | undefined;
  /** Version of the program: where another version had the folder before, a copy of the documents is kept. */
  readonly version?: string;
};

type Contents = {
  readonly settings: JsonDocument<Settings>;
  readonly keys: JsonDocument<KeysFile>;
  readonly workflows: JsonDocument<WorkflowsFile>;
  readonly retention: JsonDocument<RetentionFile>;
  readonly secrets: StoredSecrets;
  readonly imports: ImportStore;
  readonly cassettes: CassetteStore;
  readonly serverInfo: ServerInfoFile;
};

export class DataFolder {
  readonly path: string;
  readonly health: StoreHealth;
  readonly settings: JsonDocument<Settings>;
  readonly keys: JsonDocument<KeysFile>;
  readonly workflows: JsonDocument<WorkflowsFile>;
  readonly retention: JsonDocument<RetentionFile>;
  readonly secrets: StoredSecrets;
  readonly imports: ImportStore;
  readonly cassettes: CassetteStore;
  readonly serverInfo: ServerInfoFile;
  /** Whether the process that had the folder last ended without closing it. */
  readonly wasCrashed: boolean;
  /** Messages for the user about files that were set aside, repaired or left alone. */
  readonly notices: readonly string[];
  /** Adds a notice. */
  readonly report: (notice: string) => void;
  readonly fileSystem: FileSystem;
  readonly #lock: FolderLock;

  private constructor(parts: {
    path: string;
    health: StoreHealth;
    contents: Contents;
    lock: FolderLock;
    fileSystem: FileSystem;
    notices: readonly string[];
    report: (notice: string) => void;
  }) {
    this.path = parts.path;
    this.health = parts.health;
    this.settings = parts.contents.settings;
    this.keys = parts.contents.keys;
    this.workflows = parts.contents.workflows;
    this.retention = parts.contents.retention;
    this.secrets = parts.contents.secrets;
    this.imports = parts.contents.imports;
    this.cassettes = parts.contents.cassettes;
    this.serverInfo = parts.contents.serverInfo;
    this.wasCrashed = parts.lock.wasStale;
    this.notices = parts.notices;
    this.#lock = parts.lock;
    this.fileSystem = parts.fileSystem;
    this.report = parts.report;
  }

  /**
   * Takes the folder for this process, making it if need be, and clears away what a crash left.
   * Throws `data_folder_locked` (names the owner's pid) or `data_unreadable`.
   */
  static async open(options: OpenDataFolder): Promise<DataFolder> {
    const { clock, log } = options;
    const fileSystem = reportShortages(options.fileSystem ?? nodeFileSystem, clock);
    const path = resolve(options.path);
    const health = new StoreHealth(log);
    const notices: string[] = [];
    const report = (notice: string): void => {
      notices.push(notice);
      log.warn({ notice }, 'stored data needed repair');
    };
    const files = new DurableFiles(fileSystem, clock);
    const parts: StoreParts = { fileSystem, files, health, clock, log, report };
    try {
      await claimFolder(parts, path);
      await assertLocalDisk(path);
      const lock = await FolderLock.acquire({ fileSystem, clock, path: join(path, 'lock'), folder: path });
      try {
        if (options.version !== undefined) await backUpBefore(options.version, path, parts);
        const contents = await openContents(parts, path, options);
        return new DataFolder({ path, health, contents, lock, fileSystem, notices, report });
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

  /** Bytes that the folder holds, and bytes that are free on its disk. */
  async measure(): Promise<{ readonly usedBytes: number; readonly freeBytes: number }> {
    return orUnreadable(this.path, async () => ({
      usedBytes: await measureFolder(this.fileSystem, this.path),
      freeBytes: await this.fileSystem.freeBytes(this.path),
    }));
  }

  /** Lets the next process have the folder. Everything that uses it has ended by then. */
  async close(): Promise<void> {
    await orUnreadable('lock', () => this.#lock.release());
  }
}

/** Makes the folder, or closes one of ours that other users can enter. One that holds other things keeps its mode. */
async function claimFolder({ fileSystem, files }: StoreParts, path: string): Promise<void> {
  if (await files.makeFolder(path)) return;
  const names = await fileSystem.list(path);
  const isOurs = [databaseName, 'settings.json', 'lock'].some((name) => names.includes(name));
  if (names.length === 0 || isOurs) await fileSystem.makePrivate(path);
}

async function openContents(parts: StoreParts, path: string, { keySeal }: OpenDataFolder): Promise<Contents> {
  const { fileSystem, files } = parts;
  const cassetteFolder = join(path, 'cassettes');
  await files.makeFolder(cassetteFolder);
  for (const folder of [path, cassetteFolder]) await clearTemporaries(fileSystem, folder);
  await reportOlderRuns(parts, path);
  const imports = new ImportStore(parts, join(path, 'workflows'));
  await imports.clearLeftovers();
  const serverInfo = new ServerInfoFile(parts, path);
  // The server that it speaks of has ended: the lock is ours.
  await serverInfo.remove();
  const document = <T extends object>(
    label: string,
    rest: Omit<Parameters<typeof JsonDocument.open<T>>[1], 'path' | 'label'>,
  ) => JsonDocument.open<T>(parts, { path: join(path, label), label, ...rest });
  return {
    settings: await document<Settings>('settings.json', {
      schema: settingsSchema,
      initial: defaultSettings,
      isEditable: true,
    }),
    keys: await document<KeysFile>('keys.json', {
      schema: keysFileSchema,
      initial: { version: 1, keys: [] },
    }),
    workflows: await openWorkflowsIn(parts, path),
    retention: await openRetentionIn(parts, path),
    secrets: await openSecretsIn(parts, path, keySeal),
    imports,
    cassettes: new CassetteStore(parts, cassetteFolder),
    serverInfo,
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
async function reportOlderRuns({ fileSystem, report }: StoreParts, path: string): Promise<void> {
  const folder = join(path, 'runs');
  const names = (await fileSystem.stat(folder)) === undefined ? [] : await fileSystem.list(folder);
  if (names.length > 0)
    report(
      `${folder} holds runs in the format of an earlier version. This version leaves them as they are and does not show them.`,
    );
}
