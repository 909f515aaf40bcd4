import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  openForReading,
  openForWriting,
  pragma,
  type Database,
} from '../../../src-main/storage/sqlite/open-database.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const databaseFile = async (): Promise<string> => join(await temporaryFolder(), 'rowbench.db');

function closedAtEnd(database: Database): Database {
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

it('a commit waits for the disk, also in an older database file', async () => {
  const path = await databaseFile();
  for (const time of ['first', 'second']) {
    const database = closedAtEnd(await openForWriting(path));
    const settings = ['journal_mode', 'synchronous', 'auto_vacuum', 'foreign_keys', 'busy_timeout'];
    expect(
      settings.map((name) => pragma(database, name)),
      `the ${time} time`,
    ).toEqual(['wal', 2, 2, 1, 5000]);
    database.close();
  }
});

it('a reading connection gets bytes as the writing connection stored them', async () => {
  const path = await databaseFile();
  const writing = closedAtEnd(await openForWriting(path));
  writing.exec('create table batches (id integer primary key, bytes blob not null)');
  const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7) % 256);
  writing.prepare('insert into batches values (?, ?)').run(1, bytes);

  const reading = closedAtEnd(await openForReading(path));
  const find = reading.prepare('select bytes from batches where id = ?');
  const { bytes: found } = find.get(1) as { bytes: Uint8Array };
  expect(Buffer.compare(found, bytes)).toBe(0);
  expect(() => reading.exec('delete from batches')).toThrow(/readonly|read-only/);

  writing.exec('begin immediate; delete from batches');
  expect(find.get(1)).toBeDefined();
  writing.exec('commit');
  expect(find.get(1)).toBeUndefined();
});

it('a query reads fields of JSON that is stored as bytes', async () => {
  const database = closedAtEnd(await openForWriting(await databaseFile()));
  database.exec('create table batches (bytes blob not null)');
  const lines = '[\n{"town":"Ulm"},\n{"town":"Köln"},\n{"town":"Ulm"}\n]';
  database.prepare('insert into batches values (?)').run(Buffer.from(lines));
  const count = database.prepare(
    `select value ->> '$.town' as town, count(*) as rows
       from batches, json_each(cast(bytes as text)) group by town order by town`,
  );
  expect(count.all().map((row) => ({ ...(row as object) }))).toEqual([
    { town: 'Köln', rows: 1 },
    { town: 'Ulm', rows: 2 },
  ]);
});

it('a file that is not a database is refused and stays unchanged', async () => {
  const path = await databaseFile();
  await writeFile(path, 'not a database, but a text that a person has saved here\n'.repeat(20));
  const before = await readFile(path);
  await expect(openForWriting(path)).rejects.toThrow(/not a database/);
  expect(await readFile(path)).toEqual(before);
  await expect(openForReading(join(path, '..', 'missing.db'))).rejects.toThrow(/unable to open/);
});
