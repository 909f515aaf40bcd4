// New databases of a team for specs, on the PostgreSQL server of the test process. Each is a copy of one that was migrated.
import { silentLog } from '../../src-main/base/log.ts';
import { migrateDatabase } from '../../src-main/team/admin/migrate-database.ts';
import type { Sql } from '../../src-main/team/sql.ts';
import { TeamPool } from '../../src-main/team/team-pool.ts';
import { sharedPostgres } from './postgres-server.ts';

const migrated = 'migrated';
let databases = 0;
let template: Promise<void> | undefined;

export const openPool = (url: string, maxConnections = 4): TeamPool =>
  new TeamPool({ url, name: 'rowbench specs', maxConnections, log: silentLog });

export type TestDatabase = {
  readonly url: string;
  /** The same database for another role, whose password is its name. */
  readonly urlFor: (role: string) => string;
};

/** A new database; one without tables if it is not to be migrated. */
export async function createTestDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  if (isMigrated) await (template ??= createTemplate());
  const server = await sharedPostgres();
  const url = await server.createDatabase(`team_${(databases += 1)}`, isMigrated ? migrated : 'template1');
  return { url, urlFor: (role) => Object.assign(new URL(url), { username: role, password: role }).href };
}

async function createTemplate(): Promise<void> {
  const pool = openPool(await (await sharedPostgres()).createDatabase(migrated));
  await migrateDatabase(pool);
  await pool.close();
}

/** Makes all calls that limits count older, since the database's clock cannot be moved. */
export const ageCountedCalls = async (sql: Sql, ms: number): Promise<void> =>
  void (await sql.query(
    `update rowbench.limit_windows set expires_at = expires_at - $1::int * interval '1 ms',
     times = array(select time - $1::int from unnest(times) as time order by time)`,
    [ms],
  ));

/** Makes workers count as silent for longer than the lease of what they have. */
export async function endLeases(url: string): Promise<void> {
  const pool = openPool(url, 1);
  await pool.run(
    `update rowbench_queue.job_common set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  );
  await pool.close();
}
