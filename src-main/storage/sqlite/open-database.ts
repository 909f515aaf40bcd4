// The one place that knows which SQLite is loaded, and with which settings a database is opened (decision 025).
import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite';
import { invariant } from '../../base/invariant.ts';

/** An open connection, with the API of `node:sqlite`. Its calls block the thread that makes them. */
export type Database = DatabaseSyncInstance;
type SqliteModule = { readonly DatabaseSync: typeof DatabaseSync };

/** The first major version of Node whose built-in SQLite is used. Before it, it is missing or experimental. */
const firstBuiltIn = 24;

/** Time that a statement waits for a lock, in ms. */
export const busyTimeoutMs = 5000;

/** Loads the library, which takes longer than to open a file. */
export async function loadSqlite(): Promise<SqliteModule> {
  if (Number.parseInt(process.versions.node, 10) >= firstBuiltIn) {
    // Types of the oldest supported Node do not know this module.
    return process.getBuiltinModule('node:sqlite') as unknown as SqliteModule;
  }
  return import('@photostructure/sqlite');
}

/**
 * Opens the database's only writing connection, and creates the file if there is none. A commit is on the disk when it
 * returns. Throws SQLite's own error where the file cannot be opened or is not a database.
 */
export async function openForWriting(path: string): Promise<Database> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    // In this order: the first two only count while the file is empty.
    database.exec('pragma page_size = 4096');
    database.exec('pragma auto_vacuum = incremental');
    database.exec('pragma journal_mode = wal');
    // Not stored in the file: each connection begins with its own default.
    database.exec('pragma synchronous = full');
    database.exec('pragma foreign_keys = on');
    database.exec('pragma wal_autocheckpoint = 1000');
    database.exec('pragma journal_size_limit = 16777216');
    database.exec('pragma temp_store = memory');
    database.exec('pragma cache_size = -4000');
    // Overwrites what changes replace inside a page, which writes nothing more. Removals also overwrite whole pages.
    database.exec('pragma secure_delete = fast');
    invariant(pragma(database, 'journal_mode') === 'wal', 'SQLite does not use its write-ahead log');
    invariant(pragma(database, 'synchronous') === 2, 'SQLite does not wait for the disk');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a connection that cannot change the database. Throws SQLite's own error where there is no such file. */
export async function openForReading(path: string): Promise<Database> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  database.exec('pragma query_only = on');
  database.exec('pragma cache_size = -4000');
  return database;
}

/** The value of a setting of the connection, by its name in SQLite. */
export function pragma(database: Database, name: string): unknown {
  const row = database.prepare(`pragma ${name}`).get() as Record<string, unknown> | undefined;
  return row && Object.values(row)[0];
}
