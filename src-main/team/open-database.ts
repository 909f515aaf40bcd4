// Connects to the database of a team. Who calls: servers, workers and the commands that use the database.
import { AppError } from '../base/app-error.ts';
import { databaseUrlOf } from './database-url.ts';
import { isConnectionLost } from './team-errors.ts';
import { TeamPool, type PoolOptions } from './team-pool.ts';

type DatabaseOptions = Omit<PoolOptions, 'url'> & {
  /** Has the address in ROWBENCH_DATABASE_URL. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Throws `invalid_input` if the address is not allowed, or the database refuses this process. */
export async function openDatabase({ environment, ...options }: DatabaseOptions): Promise<TeamPool> {
  const database = new TeamPool({ ...options, url: databaseUrlOf(environment) });
  try {
    await database.query('select 1');
    return database;
  } catch (error) {
    await database.close();
    throw connectionError(error);
  }
}

function connectionError(cause: unknown): AppError {
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
  const advice = isConnectionLost(cause)
    ? 'Check that PostgreSQL runs and that ROWBENCH_DATABASE_URL has its address'
    : 'Check the user, password and name of the database in ROWBENCH_DATABASE_URL, or PGPASSWORD';
  return new AppError('invalid_input', `The database cannot be used (${reason}). ${advice}`, { cause });
}
