import { readFile, stat, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { migrateTeamDatabase, showDatabaseStatus } from '../../../src-main/app/team/database-commands.ts';
import { SecretService } from '../../../src-main/services/access/secret-service.ts';
import { TokenService } from '../../../src-main/services/access/token-service.ts';
import { databaseUrlOf } from '../../../src-main/team/admin/open-database.ts';
import { assertMigrated, migrateDatabase } from '../../../src-main/team/admin/migrate-database.ts';
import {
  openTeamDocuments,
  openWorkerDocuments,
} from '../../../src-main/team/documents/open-team-documents.ts';
import { TeamVault } from '../../../src-main/team/documents/team-vault.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const clock = new FakeClock();
const refusal = (text: string): unknown =>
  expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(text) as unknown });

function openedPool(url: string) {
  const pool = openPool(url);
  onTestFinished(() => pool.close());
  return pool;
}

/** A migrated database with a role for servers and one for workers. */
async function migratedTeam() {
  const database = await createTestDatabase({ isMigrated: false });
  const owner = openedPool(database.url);
  const id = Math.random().toString(36).slice(2);
  const [serverRole, workerRole] = [`server_${id}`, `worker_${id}`];
  for (const role of [serverRole, workerRole])
    await owner.run(`create role ${role} login password '${role}'`);
  const secretKeyFile = join(await temporaryFolder(), 'secret.key');
  const deps = { environment: { ROWBENCH_DATABASE_URL: database.url }, log: silentLog };
  const options = { serverRole, workerRole, secretKeyFile };
  const migrated = await migrateTeamDatabase(deps, options);
  const [server, worker] = [serverRole, workerRole].map((role) => openedPool(database.urlFor(role)));
  return { deps, options, migrated, owner, server: server!, worker: worker!, secretKeyFile };
}

describe.skipIf(whyNoPostgres !== undefined)('rowbench database migrate', () => {
  it('creates tables, a key and the first token once', async () => {
    const { deps, options, migrated, server, secretKeyFile } = await migratedTeam();
    expect(migrated).toMatchObject({ from: 0, hasNewKey: true });
    expect((await stat(secretKeyFile)).mode & 0o777).toBe(0o600);
    const key = await readFile(secretKeyFile, 'utf8');
    const documents = await openTeamDocuments({ database: server, clock, log: silentLog });
    onTestFinished(() => documents.close());
    const tokens = new TokenService({ document: documents.tokens, clock, log: silentLog });
    expect(await tokens.verify(migrated.token ?? '')).toMatchObject({ role: 'admin' });
    expect(await migrateTeamDatabase(deps, options)).toEqual({
      from: migrated.to,
      to: migrated.to,
      hasNewKey: false,
    });
    expect(await readFile(secretKeyFile, 'utf8')).toBe(key);
    const role = migrateTeamDatabase(deps, { workerRole: 'nobody_has_it' });
    await expect(role).rejects.toEqual(refusal('no role "nobody_has_it"'));
  });

  it('lets servers change data and no table', async () => {
    const { server } = await migratedTeam();
    await server.query(`insert into rowbench.audit (id, record) values ('1', '{}')`);
    for (const statement of [
      'create table rowbench.other (id int)',
      'alter table rowbench.runs add column more text',
      'drop table rowbench.runs',
      'truncate rowbench.runs',
      'delete from rowbench.audit',
      'delete from rowbench.migrations',
    ])
      await expect(server.run(statement), statement).rejects.toThrow(/permission denied|must be owner/);
  });

  it('lets workers read no key, token, trust or audit', async () => {
    const { worker, owner } = await migratedTeam();
    const tables = await owner.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'rowbench' order by 1`,
    );
    const unreadable: string[] = [];
    for (const { name } of tables)
      await worker.query(`select from rowbench.${name} limit 1`).catch((error: unknown) => {
        expect(String(error)).toContain('permission denied');
        unreadable.push(name);
      });
    expect(unreadable).toEqual([
      'audit',
      'cassettes',
      'limit_windows',
      'orphans',
      'private_documents',
      'row_sets',
    ]);
    for (const statement of [
      `insert into rowbench.secrets values ('x', 1, '')`,
      `update rowbench.documents set value = ''`,
      `delete from rowbench.published_files`,
      `delete from rowbench.runs`,
      `insert into rowbench.row_batches (owner) values (1)`,
    ])
      await expect(worker.run(statement), statement).rejects.toThrow('permission denied');
  });

  it('refuses a database whose encoding lacks characters', async () => {
    const { url } = await createTestDatabase({ isMigrated: false });
    const admin = openedPool(url);
    await admin.run(`create database latin encoding 'LATIN1' template template0`);
    const latin = openedPool(Object.assign(new URL(url), { pathname: '/latin' }).href);
    const refused = /^The database has the encoding LATIN1, .* --encoding=UTF8 --template=template0$/;
    await expect(migrateDatabase(latin)).rejects.toThrow(refused);
    await expect(assertMigrated(latin)).rejects.toThrow(refused);
  });

  it('keeps the key of secrets out of the database', async () => {
    const { server, worker, owner, secretKeyFile } = await migratedTeam();
    const documents = await openTeamDocuments({ database: server, clock, log: silentLog });
    const read = await openWorkerDocuments({ database: worker, clock, log: silentLog });
    onTestFinished(async () => void (await Promise.all([documents.close(), read.close()])));
    const vault = await TeamVault.open(server, secretKeyFile);
    const secrets = new SecretService({ document: documents.secrets, vault, temporary: [], clock });
    await secrets.set({ name: 'CRM_TOKEN', value: 'swordfish', hosts: ['api.example.com'] });
    const stored = JSON.stringify(await owner.query('select * from rowbench.secrets'));
    expect(stored).toContain('CRM_TOKEN');
    expect(stored).not.toMatch(/swordfish/);
    const workerVault = await TeamVault.open(worker, secretKeyFile, { isReadOnly: true });
    const options = { document: read.secrets, vault: workerVault, temporary: [], clock };
    await read.secrets.latest();
    expect(await new SecretService(options).find('CRM_TOKEN')).toMatchObject({ value: 'swordfish' });
    const otherKey = join(await temporaryFolder(), 'other.key');
    await writeFile(otherKey, Buffer.alloc(32, 7).toString('base64'));
    for (const database of [server, worker])
      await expect(TeamVault.open(database, otherKey, { isReadOnly: database === worker })).rejects.toThrow(
        refusal('another key'),
      );
    await writeFile(otherKey, 'short');
    await expect(TeamVault.open(server, otherKey)).rejects.toEqual(refusal('no key of 32 bytes'));
  });
});

describe.skipIf(whyNoPostgres !== undefined)('rowbench database status', () => {
  it('shows the format, the servers and the length of the queue', async () => {
    const { url } = await createTestDatabase({ isMigrated: false });
    const deps = { environment: { ROWBENCH_DATABASE_URL: url }, log: silentLog };
    expect(await showDatabaseStatus(deps)).toMatchObject({ format: 0, servers: [] });
    const first = await runCli(['database', 'migrate'], { env: deps.environment });
    expect(first.stdout).toMatch(/^rbt_[\w-]+\n$/);
    const again = await runCli(['database', 'migrate'], { env: deps.environment });
    expect([again.stdout, again.stderr]).toEqual(['', expect.stringMatching(/^The database is up to date/)]);
    for (const role of ['named_server', 'named_worker'])
      await openedPool(url).run(`create role ${role} login`);
    const roles = ['--server-role', 'named_server', '--worker-role', 'named_worker'];
    expect((await runCli(['database', 'migrate', ...roles], { env: deps.environment })).stderr).toMatch(
      /^The database is up to date .*\nServers may use the role named_server\.\nWorkers may use the role named_worker\.\n$/,
    );
    const { to } = await migrateTeamDatabase(deps, {});
    await openedPool(url).query(
      `insert into rowbench.servers (id, name, kind, version, slots) values ('1', 'one', 'worker', '1.0.0', 8)`,
    );
    expect(await showDatabaseStatus(deps)).toMatchObject({
      format: to,
      knownFormat: to,
      servers: [{ name: 'one', kind: 'worker', version: '1.0.0', slots: 8, isSilent: false }],
      waiting: 0,
      running: 0,
    });
    const shown = await runCli(['database', 'status'], { env: deps.environment });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(
      /^Format \d+\n0 segments waiting, 0 running\nNAME .*\none +worker +1.0.0 +8 +\d/,
    );
    await openedPool(url).query(`update rowbench.servers set seen_at = now() - interval '1 minute'`);
    const later = await runCli(['database', 'status'], { env: deps.environment });
    expect(later.stdout).toMatch(/\none .* not heard from since /);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('commands with a database that cannot be used', () => {
  it('say why, and what to check', async () => {
    const { url } = await createTestDatabase({ isMigrated: false });
    const stderrOf = async (args: readonly string[], address: string): Promise<string> =>
      (await runCli(args, { env: { ROWBENCH_DATABASE_URL: address } })).stderr;
    const named = (change: (address: URL) => void): string => {
      const address = new URL(url);
      change(address);
      return address.href;
    };
    const closed = named((address) => (address.port = '1'));
    expect(await stderrOf(['database', 'status'], closed)).toMatch(/cannot be used .*PostgreSQL runs/);
    const missing = named((address) => (address.pathname = '/missing'));
    expect(await stderrOf(['database', 'status'], missing)).toMatch(/"missing" does not exist.*PGPASSWORD/);
    expect(await stderrOf(['work', '--database'], url)).toMatch(/rowbench database migrate/);
    const remote = 'postgres://u@db.internal/db';
    expect(await stderrOf(['serve', '--database'], remote)).toMatch(/sslmode=verify-full/);
    expect(await stderrOf(['work', '--database'], '')).toMatch(/Set ROWBENCH_DATABASE_URL/);
  }, 60_000);
});

describe.skipIf(whyNoPostgres !== undefined)('a worker that starts while the database is down', () => {
  it('says so once, and is ready when the database answers', async () => {
    const { url } = await createTestDatabase();
    let refused = 2;
    const relay = createServer((client) => {
      if ((refused -= 1) >= 0) return client.destroy();
      const database = connect(Number(new URL(url).port), '127.0.0.1');
      pipeline(client, database, client, () => undefined);
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    onTestFinished(() => void relay.close());
    const { port } = relay.address() as AddressInfo;
    const worker = await startTeamWorker(Object.assign(new URL(url), { port }).href);
    expect(worker.stderr().match(/The database cannot be used .* Waiting for it$/gm)).toHaveLength(1);
    await worker.stop();
  }, 60_000);

  it('ends at a signal', async () => {
    const env = { ...process.env, ROWBENCH_DATABASE_URL: 'postgres://u@127.0.0.1:1/db' };
    const worker = spawn(process.execPath, ['dist/cli.js', 'work', '--database'], { env });
    onTestFinished(() => void worker.kill('SIGKILL'));
    await once(worker.stderr, 'data');
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
  }, 60_000);
});

describe('the address of a database', () => {
  const of = (url?: string) => databaseUrlOf({ ROWBENCH_DATABASE_URL: url });

  const refused = (url?: string): unknown => {
    try {
      return of(url);
    } catch (error) {
      return error;
    }
  };

  it.each([
    'postgres://u@localhost/db',
    'postgresql://u:p@127.0.0.1:5433/db',
    'postgres://u@[::1]/db',
    'postgres://u@/db?host=/run/postgresql',
    'postgres:///db?host=/run/postgresql',
    'postgres://u@db.internal/db?sslmode=verify-full',
  ])('%s is accepted', (url) => expect(of(url)).toBe(url));

  it.each([
    [undefined, 'Set ROWBENCH_DATABASE_URL'],
    ['', 'Set ROWBENCH_DATABASE_URL'],
    ['mysql://localhost/db', 'no address of a PostgreSQL database'],
    ['db.internal', 'no address of a PostgreSQL database'],
    ['postgres://u:swordfish@db.internal/db', 'sslmode=verify-full'],
    ['postgres://u:swordfish@db.internal/db?sslmode=require', 'sslmode=verify-full'],
    ['postgres://u:swordfish@localhost/db?host=db.internal', 'sslmode=verify-full'],
    ['postgres://u:swordfish@localhost/db?host=localhost&host=db.internal', 'sslmode=verify-full'],
    ['postgres://u:swordfish@127.0.0.1.example.com/db', 'sslmode=verify-full'],
  ])('%s is refused without its password', (url, text) => {
    const error = refused(url);
    expect(error).toEqual(refusal(text));
    expect(String(error)).not.toContain('swordfish');
  });
});
