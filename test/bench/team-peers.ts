// Teams and other queues for benchmarks: each over a PostgreSQL or Redis server that makes what it accepted durable.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { migrateDatabase } from '../../src-main/team/admin/migrate-database.ts';
import { startPostgres, type PostgresServer } from '../builders/postgres-server.ts';
import { openPool } from '../builders/team-database.ts';
import { startTeamServer, startTeamWorker, type TeamProcess } from '../builders/team-processes.ts';
import { subjectAt, type Subject } from './subjects.ts';

const run = promisify(execFile);
const bullmq = ['bullmq@6.7.0', 'ioredis@5.11.1'];

/** A PostgreSQL server as one in use: it flushes each commit to the disk. */
export const startDurablePostgres = (): Promise<PostgresServer> =>
  startPostgres({
    fsync: 'on',
    full_page_writes: 'on',
    shared_buffers: '512MB',
    max_wal_size: '8GB',
    checkpoint_timeout: '1h',
  });

type TeamOptions = {
  readonly postgres: PostgresServer;
  readonly workflows: string;
  readonly workers: number;
  readonly slots?: number;
};

export type BenchTeam = Subject & {
  readonly workers: TeamProcess[];
  readonly databaseUrl: string;
  /** Adds a worker; its name is new. */
  readonly addWorker: () => Promise<TeamProcess>;
};

let teams = 0;

/** One server without slots, and workers, over a database of their own. */
export async function startTeam({
  postgres,
  workflows,
  workers: count,
  slots,
}: TeamOptions): Promise<BenchTeam> {
  const databaseUrl = await createMigrated(postgres, `bench_${(teams += 1)}`);
  const server = await startTeamServer(databaseUrl, { workflows, allowNetwork: 'loopback' });
  const workers: TeamProcess[] = [];
  const addWorker = async (): Promise<TeamProcess> => {
    const name = `worker-${workers.length}`;
    const worker = await startTeamWorker(databaseUrl, { name, ...(slots === undefined ? {} : { slots }) });
    workers.push(worker);
    return worker;
  };
  for (let number = 0; number < count; number += 1) await addWorker();
  const stop = async (): Promise<void> => {
    await Promise.all([server, ...workers].map((each) => each.stop()));
  };
  const pid = server.child.pid ?? 0;
  const subject = subjectAt(`team of ${count}`, { url: server.url, pid, stop });
  return { ...subject, workers, databaseUrl, addWorker };
}

export async function createMigrated(postgres: PostgresServer, name: string): Promise<string> {
  const url = await postgres.createDatabase(name);
  const pool = openPool(url);
  await migrateDatabase(pool);
  await pool.close();
  return url;
}

/** A program beside this file that runs rows of the text workload when it is asked to. */
export type Peer = {
  /** Runs that many rows; the bare queue always runs all of its file. Gives ms from the first insert to the last result. */
  run(rows: number): Promise<number>;
  stop(): Promise<void>;
};

export async function startPeer(program: string, args: readonly string[]): Promise<Peer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const read: IteratorResult<string, undefined> = await lines.next();
    if (read.done === true) throw new Error(`${program} has ended`);
    return read.value;
  };
  await next();
  return {
    run: async (rows) => {
      child.stdin.write(`${rows}\n`);
      return Number(await next());
    },
    stop: () => end(child),
  };
}

/** Fetches BullMQ into the folder; resolves to the reason if it cannot be used here. */
export async function whyNoBullMq(folder: string): Promise<string | undefined> {
  try {
    await run('redis-server', ['--version']);
  } catch {
    return 'redis-server is not installed';
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...bullmq];
  return run('npm', args, { cwd: folder }).then(
    () => undefined,
    (error: unknown) => `${bullmq.join(' ')} cannot be fetched: ${String(error).split('\n')[0]}`,
  );
}

type BullMqOptions = {
  /** Folder into which BullMQ was fetched. */
  readonly modules: string;
  readonly folder: string;
  /** Rows as JSON lines. */
  readonly file: string;
  readonly rowsPerJob: number;
};

/** Redis and BullMQ over it. @param settings of Redis, as arguments of its program */
export async function startBullMq(
  { modules, folder, file, rowsPerJob }: BullMqOptions,
  settings: readonly string[] = [],
): Promise<Peer> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const redis = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface(redis.stdout))
    if (line.includes('Ready to accept connections')) break;
  redis.stdout.resume();
  const peer = await startPeer('bullmq-peer.mjs', [modules, String(port), file, String(rowsPerJob)]);
  return {
    run: (rows) => peer.run(rows),
    stop: async () => {
      await peer.stop();
      await end(redis);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.end();
  if (child.stdin === null) child.kill();
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
