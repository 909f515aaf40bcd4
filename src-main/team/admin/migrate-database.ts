// Migrates a team's database: our tables and those of pg-boss. Who calls: `rowbench database migrate`, and specs.
import { PgBoss } from 'pg-boss';
import { AppError } from '../../base/app-error.ts';
import { migrations, queueSchema, serverGrants, workerGrants } from './schema.ts';
import { forBoss, type Sql, type TeamSql } from '../sql.ts';
import { createQueues } from '../segments/segment-queue.ts';

/** Number of the advisory lock of migrations: any number that nothing else uses. */
const lockNumber = 7_269_410;

type Migrated = { readonly from: number; readonly to: number };

type MigrationOptions = {
  /** Role of servers, which must exist; absent: servers use the role that migrates. */
  readonly serverRole?: string | undefined;
  /** Role of workers, which must exist; absent: workers use the role of the servers. */
  readonly workerRole?: string | undefined;
  /** `pglite` for the embedded database of the specs. */
  readonly backend?: 'postgres' | 'pglite';
};

/** Encodings of databases that can hold any character. */
const encodings: ReadonlySet<string | undefined> = new Set(['UTF8', 'SQL_ASCII']);

/** Throws `invalid_input` if a newer version has migrated the database, or it cannot hold all characters. */
export async function migrateDatabase(database: TeamSql, options: MigrationOptions = {}): Promise<Migrated> {
  await assertEncoding(database);
  const migrated = await database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [lockNumber]);
    await sql.run('create schema if not exists rowbench');
    const from = await readFormat(sql);
    assertNotNewer(from);
    for (const [index, migration] of migrations.entries()) {
      if (index < from) continue;
      await (typeof migration === 'string' ? sql.run(migration) : migration(sql));
      await sql.query('insert into rowbench.migrations (number) values ($1)', [index + 1]);
    }
    return { from, to: migrations.length };
  });
  const boss = new PgBoss({
    db: forBoss(database),
    schema: queueSchema,
    backend: options.backend ?? 'postgres',
    supervise: false,
    schedule: false,
  });
  try {
    await boss.start();
    await createQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
  const { serverRole, workerRole } = options;
  if (serverRole !== undefined) await grant(database, serverGrants, serverRole);
  if (workerRole !== undefined) await grant(database, workerGrants, workerRole);
  return migrated;
}

/** Throws `invalid_input` unless the database has exactly the tables that this version knows, and an encoding for them. */
export async function assertMigrated(sql: Sql): Promise<void> {
  await assertEncoding(sql);
  const found = await readFormat(sql);
  assertNotNewer(found);
  if (found < migrations.length)
    throw new AppError(
      'invalid_input',
      `The database has format ${found}, and this version of Rowbench needs format ${migrations.length}. Bring it up to date with: rowbench database migrate`,
    );
}

async function assertEncoding(sql: Sql): Promise<void> {
  const [found] = await sql.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  );
  if (!encodings.has(found?.encoding))
    throw new AppError(
      'invalid_input',
      `The database has the encoding ${found?.encoding}, which lacks characters that rows may have. Create it with: createdb --encoding=UTF8 --template=template0`,
    );
}

function assertNotNewer(found: number): void {
  if (found > migrations.length)
    throw new AppError(
      'invalid_input',
      `The database has format ${found}, and this version of Rowbench knows formats up to ${migrations.length}. Use the newer version that migrated it`,
    );
}

/** Number of the last migration; 0 without one. */
export async function readFormat(sql: Sql): Promise<number> {
  const [table] = await sql.query<{ name: string | null }>(
    `select to_regclass('rowbench.migrations')::text as name`,
  );
  if (table?.name === null || table === undefined) return 0;
  const [found] = await sql.query<{ number: number }>(
    'select coalesce(max(number), 0) as number from rowbench.migrations',
  );
  return found?.number ?? 0;
}

/** Throws `invalid_input` for a role that does not exist. */
async function grant(sql: Sql, grants: string, role: string): Promise<void> {
  const [found] = await sql.query<{ name: string }>(
    'select quote_ident(rolname) as name from pg_roles where rolname = $1',
    [role],
  );
  if (found === undefined)
    throw new AppError('invalid_input', `The database has no role "${role}". Create it with: create role`);
  await sql.run(grants.replaceAll('%I', () => found.name));
}
