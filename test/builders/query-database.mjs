// Runs SQL on a database in a process of its own: `node query-database.mjs PATH '[[SQL, ...VALUES], ...]'`. Prints the rows of
// each statement as JSON. `flip(blob)` changes a bit of its first byte, `crc32(text)` is the checksum of a record.
//
// A second copy of SQLite in the process that has the database open would let go of its locks.
import { crc32 } from 'node:zlib';

const [path, calls] = process.argv.slice(2);
const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24;
const { DatabaseSync } = await import(isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite');
const database = new DatabaseSync(path, { timeout: 10_000 });
database.function('flip', (bytes) => {
  const changed = Uint8Array.from(bytes);
  changed[0] ^= 1;
  return changed;
});
database.function('crc32', (text) => crc32(text));
const answers = JSON.parse(calls).map(([sql, ...values]) => database.prepare(sql).all(...values));
database.close();
process.stdout.write(JSON.stringify(answers));
