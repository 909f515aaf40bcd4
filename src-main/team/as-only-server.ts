import type { TeamSql } from './sql.ts';

/** Number of the advisory lock of retention: any number that nothing else uses. */
const retentionLock = 7_269_411;

/** Runs the action unless another server of the team is running its own. The lock ends with the connection. */
export const asOnlyServer =
  (database: TeamSql) =>
  (action: () => Promise<void>): Promise<void> =>
    database.transaction(async (sql) => {
      const [lock] = await sql.query<{ acquired: boolean }>(
        'select pg_try_advisory_xact_lock($1) as acquired',
        [retentionLock],
      );
      if (lock?.acquired === true) await action();
    });
