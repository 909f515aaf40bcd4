// Reads and changes `rowbench.db` without the product, while no process has it open.
import {
  openForReading,
  openForWriting,
  type Database,
} from '../../../src-main/storage/sqlite/open-database.ts';
import { batchId } from '../../../src-main/storage/sqlite/checksums.ts';

/** Reads the closed file with SQL. */
export async function readDatabase<T>(path: string, read: (database: Database) => T): Promise<T> {
  const database = await openForReading(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Changes the closed file with SQL. */
export async function changeDatabase<T>(path: string, change: (database: Database) => T): Promise<T> {
  const database = await openForWriting(path);
  try {
    const changed = change(database);
    database.exec('pragma wal_checkpoint(truncate)');
    return changed;
  } finally {
    database.close();
  }
}

const stride = batchId(1, 0);

/**
 * Queries that find nothing in a store that was closed in order: batches have an owner, a run has batches for all of its
 * rows and results, one after the other, and its workflow's text.
 */
const problems: Readonly<Record<string, string>> = {
  'an orphan is left': 'select owner as problem from orphans',
  'rows belong to nothing': `select id as problem from row_batches where id / ${stride} not in
    (select number from runs union all select number from row_sets)`,
  'results belong to nothing': `select id as problem from output_batches where id / ${stride} not in (select number from runs)`,
  'pieces belong to nothing': `select batch as problem from pieces where
    batch not in (select id from row_batches) and batch not in (select id from output_batches)`,
  'an answer belongs to nothing': `select key as problem from shared_answers where owner not in (select number from runs)`,
  'a text belongs to nothing':
    'select hash as problem from snapshots where hash not in (select hash from run_snapshots)',
  'a run has no text': `select run_id as problem from runs where number not in (select owner from run_snapshots)
    or number in (select owner from run_snapshots where hash not in (select hash from snapshots))`,
  'a run does not have all of its rows': `select run_id as problem from runs where json_extract(record, '$.rows') <>
    (select total(rows) from row_batches where id / ${stride} = number)`,
  'a run counts other results than it has': `select run_id as problem from runs where rows_done + rows_failed + rows_unfinished <>
    (select total(rows) from output_batches where id / ${stride} = number)`,
  'results do not follow on each other': `select id as problem from (
    select id, first_row, coalesce(1 + sum(rows) over (partition by id / ${stride} order by id rows between unbounded preceding and 1 preceding), 1) as next
    from output_batches) where first_row <> next or id % ${stride} <> first_row`,
};

/** Everything that is wrong with the closed file, in words. */
export const problemsIn = (path: string): Promise<readonly string[]> =>
  readDatabase(path, (database) => [
    ...(database.prepare('pragma integrity_check').all() as { integrity_check: string }[])
      .map(({ integrity_check: line }) => line)
      .filter((line) => line !== 'ok'),
    ...Object.entries(problems).flatMap(([title, sql]) =>
      (database.prepare(sql).all() as { problem: unknown }[]).map(({ problem }) => `${title}: ${problem}`),
    ),
  ]);
