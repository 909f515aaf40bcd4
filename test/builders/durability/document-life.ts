// One process from its start to its end, over a disk of the test's own: the data folder and the services of its documents.
// Runs are not part of it: they are in SQLite, which is tested for what disks do.
import { join } from 'node:path';
import type { Log, LogFields } from '../../../src-main/base/log.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { KeyService } from '../../../src-main/services/access/key-service.ts';
import { SecretService } from '../../../src-main/services/access/secret-service.ts';
import { SettingsService } from '../../../src-main/services/access/settings-service.ts';
import { TrustService } from '../../../src-main/services/workflows/trust-service.ts';
import { openDataFolder, type DataFolder } from '../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { readWhole } from '../../../src-main/files/read-bytes.ts';
import { LeapingClock } from '../leaping-clock.ts';

/** On the disk of the test. It exists on the machine, too: the product asks the system what kind of disk it is on. */
export const dataPath = '/tmp';

export type DocumentLife = {
  readonly folder: DataFolder;
  readonly settings: SettingsService;
  readonly keys: KeyService;
  readonly trust: TrustService;
  readonly secrets: SecretService;
  /** Warnings and errors of the log, and notices. */
  readonly notices: readonly string[];
  close(): Promise<void>;
};

/** A timer of so many ms or more never falls due: it is for what repeats while nothing happens. */
const longTimerMs = 600_000;

/** Real time stamps, but no waiting: a timer fires in the next turn, and its time has passed then. */
class HurriedClock extends LeapingClock {
  override setTimer(ms: number, fire: () => void): () => void {
    if (ms >= longTimerMs) return () => undefined;
    const turn = setImmediate(() => {
      this.leap(ms);
      fire();
    });
    return () => clearImmediate(turn);
  }
}

/**
 * Throws what a start of the product throws.
 * @param version of the program: another one than that of the last life copies the documents first
 */
export async function beginLife(disk: FileSystem, version = '1.0.0'): Promise<DocumentLife> {
  const notices: string[] = [];
  const log = noticingLog(notices);
  const clock = new HurriedClock();
  const folder = await openDataFolder({ path: dataPath, clock, log, fileSystem: disk, version });
  const keys = new KeyService({ document: folder.keys, clock, log });
  return {
    folder,
    settings: new SettingsService({ document: folder.settings, start: {}, log }),
    keys,
    trust: new TrustService({ document: folder.workflows, clock, log }),
    secrets: new SecretService({ ...folder.secrets, temporary: [], clock }),
    notices,
    close: async () => {
      await keys.close();
      await folder.close();
    },
  };
}

function noticingLog(notices: string[]): Log {
  const note = ({ error, notice }: LogFields, message: string): void => {
    const details = [notice, error instanceof Error ? error.message : undefined];
    notices.push([message, ...details.filter((words) => typeof words === 'string')].join(': '));
  };
  return { ...silentLog, warn: note, error: note };
}

/** Makes the lock look as if its process had been killed; ours would be alive. */
export async function leaveStaleLock(disk: FileSystem): Promise<void> {
  const lock = join(dataPath, 'lock');
  for (const name of [`${lock}.takeover`, `${lock}.takeover.takeover`]) await disk.remove(name);
  if ((await disk.stat(lock)) === undefined) return;
  await disk.remove(lock);
  const file = await disk.open(lock, 'create');
  await file.write(Buffer.from(JSON.stringify({ pid: 2 ** 30, start: null, token: 'gone' })), 0);
  await file.close();
}

/** Everything that the documents say, by name; absent: nothing was stored under it. */
type DocumentValues = Readonly<Record<string, unknown>>;

/** The workflow that is imported, recorded, and granted networks. */
export const importedId = 'leads';

export async function valuesOf(life: DocumentLife, disk: FileSystem): Promise<DocumentValues> {
  const { folder, settings, keys, trust, secrets } = life;
  const values: Record<string, unknown> = {
    settings: settings.inForce.maxRows,
    network: trust.networkOf(importedId),
    retention: folder.retention.value.clockMs,
    import: await importedTexts(disk),
    cassette: ((await folder.cassettes.cassetteOf(importedId).read())?.entries ?? []).map(
      ({ request }) => request.url,
    ),
  };
  for (const { name, revokedAt } of keys.list())
    values[`key ${name}`] = revokedAt === null ? 'open' : 'revoked';
  for (const { name } of secrets.list()) values[`secret ${name}`] = (await secrets.find(name))?.value;
  return values;
}

export const importedFiles = ['data/rows.json', 'leads.workflow.yaml'] as const;

/** The texts of the import's files; undefined where there is no import. */
async function importedTexts(disk: FileSystem): Promise<readonly unknown[] | undefined> {
  const folder = join(dataPath, 'workflows', importedId);
  if ((await disk.stat(folder)) === undefined) return undefined;
  return Promise.all(
    importedFiles.map(async (name) => (await readWhole(disk, join(folder, name)))?.toString()),
  );
}
