// The work of `rowbench database`: migrates a team's database, and reports its state.
import { systemClock } from '../../base/system-clock.ts';
import type { Log } from '../../base/log.ts';
import { TokenService } from '../../services/access/token-service.ts';
import { tokensDocument } from '../../storage/documents/document-definitions.ts';
import { readFormat, migrateDatabase } from './migrate-database.ts';
import { openDatabase } from './open-database.ts';
import { migrations } from './schema.ts';
import { silentAfterMs } from './server-entry.ts';
import { TeamDocument } from '../documents/team-document.ts';
import type { TeamPool } from '../team-pool.ts';
import { createSecretKeyFile, TeamVault } from '../documents/team-vault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type MigrateOptions = {
  readonly serverRole?: string | undefined;
  readonly workerRole?: string | undefined;
  readonly secretKeyFile?: string | undefined;
};

export type MigratedTeam = {
  readonly from: number;
  readonly to: number;
  /** True if the key file was created. */
  readonly hasNewKey: boolean;
  /** Secret of the first admin's token; absent if an admin already has a token. */
  readonly token?: string;
};

type ServerStatus = {
  readonly name: string;
  readonly kind: string;
  readonly version: string;
  readonly slots: number;
  /** ISO 8601. */
  readonly seenAt: string;
  /** True if its last sign of life is so old that it may be gone. */
  readonly isSilent: boolean;
};

type ServerColumns = { readonly seen_at: Date; readonly is_silent: boolean };

export type DatabaseStatus = {
  readonly format: number;
  /** Format that this version needs. */
  readonly knownFormat: number;
  readonly servers: readonly ServerStatus[];
  /** Segments that wait for a worker, and segments that a worker runs. */
  readonly waiting: number;
  readonly running: number;
};

/** Opens the database that the environment names, and closes it after `act`, also if that throws. */
export async function withDatabase<Result>(
  { environment, log }: { readonly environment: Environment; readonly log: Log },
  act: (database: TeamPool) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ environment, name: 'rowbench database', maxConnections: 4, log });
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}

export async function migrateTeam(
  database: TeamPool,
  { secretKeyFile, ...roles }: MigrateOptions,
  log: Log,
): Promise<MigratedTeam> {
  const migrated = await migrateDatabase(database, roles);
  const hasNewKey = secretKeyFile !== undefined && (await createSecretKeyFile(secretKeyFile));
  if (secretKeyFile !== undefined) await TeamVault.open(database, secretKeyFile);
  const document = await TeamDocument.open({
    database,
    table: 'private_documents',
    definition: tokensDocument,
    isReadOnly: false,
    log,
  });
  const tokens = new TokenService({ document, clock: systemClock, log });
  const first = await tokens.createFirstToken();
  return { ...migrated, hasNewKey, ...(first === undefined ? {} : { token: first.secret }) };
}

export async function readDatabaseStatus(database: TeamPool): Promise<DatabaseStatus> {
  const format = await readFormat(database);
  const knownFormat = migrations.length;
  if (format === 0) return { format, knownFormat, servers: [], waiting: 0, running: 0 };
  const servers = await database.query<Omit<ServerStatus, 'seenAt' | 'isSilent'> & ServerColumns>(
    `select name, kind, version, slots, seen_at, seen_at < now() - $1 * interval '1 ms' as is_silent
     from rowbench.servers order by kind, name`,
    [silentAfterMs],
  );
  const states = await database.query<{ state: string; count: number }>(
    `select state, count(*) as count from rowbench.segments where state in ('waiting', 'queued', 'running') group by state`,
  );
  const count = (...names: readonly string[]): number =>
    states.filter(({ state }) => names.includes(state)).reduce((sum, { count }) => sum + count, 0);
  return {
    format,
    knownFormat,
    servers: servers.map(({ seen_at, is_silent, ...server }) => ({
      ...server,
      seenAt: seen_at.toISOString(),
      isSilent: is_silent,
    })),
    waiting: count('waiting', 'queued'),
    running: count('running'),
  };
}
