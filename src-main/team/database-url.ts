// The address of a team's database. Who calls: the commands of the command line that use one.
import { AppError } from '../base/app-error.ts';

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
