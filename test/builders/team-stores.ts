// The stores of a team's database. Results are committed without the queue and the workers of a team.
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src-main/base/clock.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { runNotFound } from '../../src-main/domain/run-errors.ts';
import { RowQueryStore } from '../../src-main/storage/runs/row-query-store.ts';
import { RowSetStore } from '../../src-main/storage/runs/row-set-store.ts';
import { RunStore } from '../../src-main/storage/runs/run-store.ts';
import { SnapshotStore } from '../../src-main/storage/runs/snapshot-store.ts';
import type { ResultsDatabase } from '../../src-main/storage/runs/store-database.ts';
import { insertResults } from '../../src-main/team/segments/insert-results.ts';
import { TeamDatabase } from '../../src-main/team/team-database.ts';
import type { TeamSql } from '../../src-main/team/sql.ts';

const questionScript = fileURLToPath(new URL('../../dist/question-thread.cjs', import.meta.url));
const free = { assertFree: () => Promise.resolve() };

export async function openTeamStores(sql: TeamSql, clock: Clock = systemClock) {
  const accepted = {
    prepare: () => Promise.resolve({ queuedSegments: 1, maxBatches: 1, access: '{}' }),
    onInserted: () => Promise.resolve(),
  };
  const database = await TeamDatabase.open({ sql, clock, questionScript, accepted: () => accepted });
  return {
    database,
    runs: new RunStore({ database, results: resultsIn(sql), free, clock }),
    queries: new RowQueryStore(database),
    snapshots: new SnapshotStore(database),
    rowSets: await RowSetStore.open({ database, free, report: () => undefined }),
    isDegraded: () => false,
    close: async (): Promise<void> => {
      await database.close();
      await sql.close();
    },
  };
}

/** Removes all runs, row sets and texts. */
export const emptyTeamTables = (sql: TeamSql): Promise<void> =>
  sql.run(`
    delete from rowbench.runs; delete from rowbench.snapshots; delete from rowbench.row_sets;
    delete from rowbench.orphans; delete from rowbench.row_batches; delete from rowbench.output_batches;
    delete from rowbench.pieces; delete from rowbench.shared_answers`);

/** Commits results of a run in row order, whatever its segments are. */
const resultsIn = (database: TeamSql): ResultsDatabase => ({
  appendResults: ({ runId, batch, counts, traceBytes, statistics, run }) =>
    database.transaction(async (sql) => {
      const [found] = await sql.query<{ owner: number }>(
        'select owner from rowbench.runs where run_id = $1',
        [runId],
      );
      if (found === undefined) throw runNotFound();
      const { owner } = found;
      await insertResults(sql, owner, batch);
      await sql.query(
        `update rowbench.segments set rows_done = greatest(0, least(rows, $2::integer - first_row + 1)),
           state = case when first_row + rows - 1 <= $2::integer then 'done' else state end where owner = $1`,
        [owner, batch.firstRow + batch.rows - 1],
      );
      await sql.query(
        `update rowbench.runs set rows_failed = $3, rows_unfinished = $4, trace_bytes = $5, statistics = $6,
           bytes = bytes + $7, rows_done = $2::integer - (
             select coalesce(sum(rows_done), 0) from rowbench.segments where owner = $1 and state <> 'done')
         where owner = $1`,
        [
          owner,
          counts.rowsDone,
          counts.rowsFailed,
          counts.rowsUnfinished ?? 0,
          traceBytes,
          JSON.stringify(statistics),
          batch.outputs.length + batch.states.length + batch.trace.length,
        ],
      );
      if (run === undefined) return;
      const saved = await sql.query(
        'update rowbench.runs set status = $2, record = $3 where run_id = $1 returning owner',
        [run.runId, run.status, JSON.stringify(run)],
      );
      if (saved.length === 0) throw runNotFound();
    }),
});
