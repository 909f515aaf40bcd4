import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';

const script = fileURLToPath(new URL('query-database.mjs', import.meta.url));

export type Statement = readonly [sql: string, ...values: (string | number)[]];

/** The rows of each statement on `rowbench.db`, whose store may be open. `flip(blob)` changes a bit of its first byte. */
export async function queryDatabase(
  dataDir: string,
  ...statements: readonly Statement[]
): Promise<readonly (readonly Readonly<Record<string, unknown>>[])[]> {
  const args = [script, join(dataDir, databaseName), JSON.stringify(statements)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 });
  return JSON.parse(stdout) as Record<string, unknown>[][];
}
