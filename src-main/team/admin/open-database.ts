// Connects to the database of a team. Who calls: servers, workers and the commands that use the database.
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import { AppError } from '../../base/app-error.ts';
import { isConnectionLost } from '../team-errors.ts';
import { TeamPool, type PoolOptions } from '../team-pool.ts';

type DatabaseOptions = Omit<PoolOptions, 'url'> & {
  /** Has the address in ROWBENCH_DATABASE_URL. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absent: a database that does not answer is an error. */
  readonly waiting?: DatabaseWait | undefined;
};

type DatabaseWait = {
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
};

/** Pauses between two tries to connect, in ms; each is twice the one before it. */
const pauses = { first: 250, longest: 10_000 };

/**
 * Throws `invalid_input` if the address is not allowed, or the database refuses this process; the reason of the signal if
 * that ends a wait.
 */
export async function openDatabase({ waiting, ...options }: DatabaseOptions): Promise<TeamPool> {
  for (let pauseMs = pauses.first; ; pauseMs = Math.min(2 * pauseMs, pauses.longest)) {
    try {
      return await connect(options);
    } catch (error) {
      if (waiting === undefined || !(error instanceof AppError) || !isConnectionLost(error.cause))
        throw error;
      if (pauseMs === pauses.first) options.log.warn({}, `${error.message}. Waiting for it`);
      await sleep(waiting.clock, pauseMs, waiting.signal);
    }
  }
}

async function connect({ environment, ...options }: Omit<DatabaseOptions, 'waiting'>): Promise<TeamPool> {
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

/** The address of a team's database. */
const variable = 'ROWBENCH_DATABASE_URL';

/**
 * The URL in the environment. It is never an option, since other users of the machine see those. Throws `invalid_input`
 * if it is missing or invalid, or if the connection would leave this machine without a verified certificate.
 */
export function databaseUrlOf(environment: Readonly<Record<string, string | undefined>>): string {
  const text = environment[variable];
  if (text === undefined || text === '')
    throw new AppError(
      'invalid_input',
      `Set ${variable} to the database's address, as in postgres://rowbench@db.internal/rowbench?sslmode=verify-full`,
    );
  const url = parseUrl(text);
  // The message does not repeat the address, which may contain a password.
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol))
    throw new AppError('invalid_input', `${variable} is no address of a PostgreSQL database (postgres://…)`);
  // If a parameter occurs twice, the last one counts, as in `pg`.
  const parameter = (name: string): string | undefined => url.searchParams.getAll(name).at(-1);
  const host = parameter('host') ?? decodeURIComponent(url.hostname);
  if (!isOfThisMachine(host) && parameter('sslmode') !== 'verify-full')
    throw new AppError(
      'invalid_input',
      `${variable} names another machine: add sslmode=verify-full, so that the connection is encrypted and the server's certificate is checked`,
    );
  return text;
}

/** Undefined if the text is not a URL. The address of a socket may have a user and no host, which `URL` refuses. */
function parseUrl(text: string): URL | undefined {
  const withHost = text.replace(/^(\w+:\/\/[^/?#]*@)(?=\/)/, '$1localhost');
  return URL.canParse(withHost) ? new URL(withHost) : undefined;
}

/** True for loopback and for the folder of a socket. */
const isOfThisMachine = (host: string): boolean =>
  host === '' ||
  host.startsWith('/') ||
  host === 'localhost' ||
  host === '::1' ||
  host === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(host);
