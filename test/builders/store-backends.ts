// The storage engines that implement the stores' ports: each spec of the ports runs for all of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StoreDatabase } from '../../src-main/storage/runs/store-database.ts';
import { openPglite } from './pglite-sql.ts';
import { whyNoPostgres } from './postgres-server.ts';
import { openStores } from './run-stores.ts';
import { createTestDatabase, openPool } from './team-database.ts';
import { emptyTeamTables, openTeamStores } from './team-stores.ts';

/** The stores, over whatever engine keeps their data. */
export type BackendStores = Omit<Awaited<ReturnType<typeof openTeamStores>>, 'database'> & {
  readonly database: StoreDatabase;
};

export type Backend = {
  /** Opens what is stored; once before it is closed. */
  open(): Promise<BackendStores>;
  /** Removes what is stored. */
  remove(): Promise<void>;
};

async function sqliteBackend(): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  return {
    open: async () => {
      const stores = await openStores(join(folder, 'data'));
      return { ...stores, isDegraded: () => stores.folder.health.degraded };
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Databases that were emptied after use: to create one takes longer. */
const emptyDatabases: string[] = [];

async function postgresBackend(): Promise<Backend> {
  const url = emptyDatabases.pop() ?? (await createTestDatabase()).url;
  return {
    open: () => openTeamStores(openPool(url)),
    remove: async () => {
      const pool = openPool(url);
      await emptyTeamTables(pool);
      await pool.close();
      emptyDatabases.push(url);
    },
  };
}

async function pgliteBackend(): Promise<Backend> {
  const sql = await openPglite();
  return { open: () => openTeamStores(sql), remove: () => emptyTeamTables(sql) };
}

/** Opens stores that are closed, and backends that are removed, when the current test is over. */
export function storesOfTests(create: () => Promise<Backend>): {
  readonly createBackend: () => Promise<Backend>;
  /** @param backend one that holds data; absent: a new one */
  readonly openStore: (backend?: Backend) => Promise<BackendStores>;
} {
  const createBackend = async (): Promise<Backend> => {
    const backend = await create();
    onTestFinished(() => backend.remove());
    return backend;
  };
  const openStore = async (backend?: Backend): Promise<BackendStores> => {
    const stores = await (backend ?? (await createBackend())).open();
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await stores.close();
      isOpen = false;
    };
    onTestFinished(close);
    return { ...stores, close };
  };
  return { createBackend, openStore };
}

const hasPostgres = whyNoPostgres === undefined;
/** True to use PGlite also where there is a real server, which is quicker. */
const isAll = process.env['ROWBENCH_SPEC_BACKENDS'] === 'all';

/** The engine's name, and a new and empty store of it. */
export const backends: readonly (readonly [name: string, create: () => Promise<Backend>])[] = [
  ['SQLite', sqliteBackend],
  ...(hasPostgres ? [['PostgreSQL', postgresBackend] as const] : []),
  ...(!hasPostgres || isAll ? [['PGlite', pgliteBackend] as const] : []),
];
