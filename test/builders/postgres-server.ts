// A real PostgreSQL server, where the machine has its programs: one for each test process, started when a spec first uses
// it, without flushing to the disk. A shell that ends with the test process, however that ends, stops the server and
// removes its files.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { deferred, type Deferred } from '../../src-main/base/deferred.ts';

const run = promisify(execFile);

/**
 * Undefined if this machine can start a server; else the reason why not, for skipped specs. On Linux in CI, where they
 * may not be skipped, it fails them in place of a reason.
 */
export const whyNoPostgres: string | undefined = findReason();

export type PostgresServer = {
  /** URL of one of its databases. */
  urlOf(database: string): string;
  /** Creates a database; resolves to its URL. @param template name of a database that is copied and has no connection */
  createDatabase(name: string, template?: string): Promise<string>;
  /** Removes a database and ends its connections. */
  dropDatabase(name: string): Promise<void>;
  /** Ends the server and its connections at once, as a crash does. */
  crash(): Promise<void>;
  /** Starts it after `crash`, with the same port and data. */
  start(): Promise<void>;
  /** Ends the server for good and removes its files; the end of the test process does so too. */
  stop(): Promise<void>;
};

let running: Promise<PostgresServer> | undefined;

/** The server that the specs of this process use together. A spec that crashes its server starts one of its own. */
export const sharedPostgres = (): Promise<PostgresServer> => (running ??= startPostgres());

/** Reads commands: names of signals for the server, or "start"; at the end of its input it stops the server. */
const keeper = `
trap '' INT TERM HUP
folder=$1; shift
"$@" & server=$!
while read -r command; do
  if [ "$command" = start ]; then "$@" & server=$!
  else kill -s "$command" "$server"; wait "$server"; echo 'the server has ended' >&2; fi
done
kill -s INT "$server"; wait "$server"
rm -rf "$folder"
`;

/** @param changed settings that differ from those of specs */
export async function startPostgres(
  changed: Readonly<Record<string, string | number>> = {},
): Promise<PostgresServer> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error(whyNoPostgres);
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-postgres-'));
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  const account = await serverAccount();
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, passwordFile]) await chown(path, uid, gid);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const initial = ['--username=rowbench', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const initdb = ['--no-sync', '--encoding=UTF8', '--locale=C', `--pgdata=${data}`, ...initial];
  await run(join(programs, 'initdb'), initdb, { ...account, cwd: folder });
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '32MB',
    max_connections: 200,
    ...changed,
  };
  const server = [join(programs, 'postgres'), '-D', data];
  for (const [name, value] of Object.entries(settings)) server.push('-c', `${name}=${value}`);
  const process = spawn('sh', ['-c', keeper, 'sh', folder, ...server], {
    ...account,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C in the terminal ends the test process first.
    detached: true,
  });
  const lines = linesOf(process);
  await lines.waitFor('database system is ready to accept connections');
  const urlOf = (database: string): string => `postgres://rowbench:${password}@127.0.0.1:${port}/${database}`;
  return { urlOf, ...databasesAt(urlOf('postgres')), ...controlsOf(process, lines) };
}

function databasesAt(adminUrl: string): Pick<PostgresServer, 'createDatabase' | 'dropDatabase'> {
  const execute = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    createDatabase: async (name, template = 'template1') => {
      await execute(`create database "${name}" template "${template}"`);
      return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
    },
    dropDatabase: (name) => execute(`drop database if exists "${name}" with (force)`),
  };
}

function controlsOf(
  process: ChildProcess,
  lines: ReturnType<typeof linesOf>,
): Pick<PostgresServer, 'crash' | 'start' | 'stop'> {
  const send = async (command: string, answer: string): Promise<void> => {
    const answered = lines.waitFor(answer);
    process.stdin!.write(`${command}\n`);
    await answered;
  };
  return {
    crash: () => send('QUIT', 'the server has ended'),
    start: () => send('start', 'database system is ready to accept connections'),
    stop: async () => {
      const ended = process.exitCode === null ? once(process, 'exit') : undefined;
      process.stdin!.end();
      await ended;
    },
  };
}

/** Lines that the server writes. Neither its pipes nor the process keep the test process from ending. */
function linesOf(process: ChildProcess) {
  const last: string[] = [];
  const waiting = new Set<{ readonly text: string; readonly found: Deferred<void> }>();
  createInterface(process.stderr!).on('line', (line) => {
    last.push(line);
    if (last.length > 20) last.shift();
    for (const each of waiting) if (line.includes(each.text)) each.found.resolve();
  });
  process.on('exit', () => {
    for (const { found } of waiting) found.reject(new Error(`PostgreSQL has ended:\n${last.join('\n')}`));
  });
  process.unref();
  for (const stream of [process.stdin, process.stderr]) (stream as unknown as { unref(): void }).unref();
  return {
    waitFor: async (text: string): Promise<void> => {
      const found = deferred();
      const entry = { text, found };
      waiting.add(entry);
      await found.promise.finally(() => waiting.delete(entry));
    },
  };
}

/** The account that the server runs as: it refuses to run as root. */
async function serverAccount(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

/** Folder of `initdb` and `postgres`, where Debian puts them or in the PATH. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(root, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

function findReason(): string | undefined {
  if (process.platform === 'win32') return 'PostgreSQL is not started on Windows';
  if (findPrograms() !== undefined) return undefined;
  if (process.platform === 'linux' && process.env['CI'] !== undefined)
    throw new Error('Specs of teams need PostgreSQL, which is not installed');
  return 'PostgreSQL is not installed';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
