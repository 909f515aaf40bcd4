// A real PostgreSQL for specs: one server a process, which listens on a socket in a temporary folder alone, and a new
// database for each caller. Specs are skipped where PostgreSQL is not installed.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src-main/base/log.ts';
import { migrateDatabase } from '../../src-main/team/migrate-database.ts';
import { TeamPool } from '../../src-main/team/team-pool.ts';

type Server = {
  readonly folder: string;
  readonly createDatabase: (name: string, template: string) => Promise<void>;
};

const administrator = 'rowbench_tests';
/** Database that others are copied from. */
const migrated = 'migrated';

/** True if this machine has the programs of PostgreSQL. */
export const hasPostgres = spawnSync('initdb', ['--version']).status === 0;

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

let server: Promise<Server> | undefined;
let databases = 0;

async function startServer(): Promise<Server> {
  const user = ordinaryUser();
  const folder = mkdtempSync(join(tmpdir(), 'rowbench-pg-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = ['-D', data, '-U', administrator, '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync('initdb', options, { ...user, cwd: folder, stdio: 'ignore' });
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=200', 'shared_buffers=32MB'];
  const child = spawn(
    'postgres',
    ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  process.once('exit', () => {
    // Immediately, and without a wait for its clients.
    child.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  await isReady(child.stderr);
  child.stderr.resume();
  child.unref();
  (child.stderr as unknown as { unref?(): void }).unref?.();
  const createDatabase = async (name: string, from: string): Promise<void> => {
    const pool = openPool(urlOf(folder, 'postgres'));
    await pool.run(`create database ${name} template ${from}`);
    await pool.close();
  };
  await createDatabase(migrated, 'template1');
  const pool = openPool(urlOf(folder, migrated));
  await migrateDatabase(pool);
  await pool.close();
  return { folder, createDatabase };
}

/** Resolves once the server accepts connections. */
async function isReady(stderr: NodeJS.ReadableStream): Promise<void> {
  let text = '';
  while (!text.includes('ready to accept connections')) {
    const [chunk] = (await Promise.race([once(stderr, 'data'), once(stderr, 'end')])) as [Buffer?];
    if (chunk === undefined) throw new Error(`PostgreSQL did not start: ${text}`);
    text += String(chunk);
  }
}

const urlOf = (folder: string, database: string, user = administrator): string =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(folder)}`;

export const openPool = (url: string, maxConnections = 4): TeamPool =>
  new TeamPool({ url, name: 'rowbench specs', maxConnections, log: silentLog });

export type TestDatabase = {
  readonly url: string;
  /** The same database for another role. */
  readonly urlFor: (role: string) => string;
};

/** A new database; one without tables if it is not to be migrated. */
export async function createTestDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  server ??= startServer();
  const { folder, createDatabase } = await server;
  const name = `team_${(databases += 1)}`;
  await createDatabase(name, isMigrated ? migrated : 'template1');
  return { url: urlOf(folder, name), urlFor: (role) => urlOf(folder, name, role) };
}
