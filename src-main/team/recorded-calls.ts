// Calls that runs record, as rows of a table: of equal calls at one place, only those of the lowest row stay, so that it
// makes no difference which worker was first. Who calls: SegmentAttempts and TeamCassettes, in their transactions.
import type { Cassette } from '../domain/cassette/cassette.ts';
import { matchText } from '../domain/cassette/match-request.ts';
import { Recording, type RecordedCall } from '../domain/cassette/recording.ts';
import { textHash } from '../files/text-hash.ts';
import type { Sql } from './sql.ts';

export type RecordedCalls = {
  readonly workflowId: string;
  readonly calls: readonly RecordedCall[];
  /** Names of request headers that tell requests apart. */
  readonly matchHeaders: readonly string[];
};

export async function insertCalls(
  sql: Sql,
  { workflowId, calls, matchHeaders }: RecordedCalls,
): Promise<void> {
  const first = new Map<string, RecordedCall>();
  for (const call of calls) {
    const { runId, site, attempt, request } = call;
    const hash = textHash(JSON.stringify([runId, matchText(request, matchHeaders), site, attempt]));
    const known = first.get(hash);
    if (known === undefined || call.row <= known.row) first.set(hash, call);
  }
  if (first.size === 0) return;
  // In a fixed order, so that two workers that record the same calls do not deadlock.
  const sorted = [...first].sort(([one], [other]) => (one < other ? -1 : 1));
  await sql.query(
    `insert into rowbench.recorded_calls as known (workflow_id, run_id, call_hash, row_number, call)
     select $1, * from unnest($2::text[], $3::text[], $4::bigint[], $5::text[])
     on conflict (workflow_id, run_id, call_hash)
       do update set row_number = excluded.row_number, call = excluded.call
       where known.row_number >= excluded.row_number`,
    [
      workflowId,
      sorted.map(([, { runId }]) => runId),
      sorted.map(([hash]) => hash),
      sorted.map(([, { row }]) => row),
      sorted.map(([, call]) => JSON.stringify(call)),
    ],
  );
}

/** The cassette with the calls, whose order makes no difference; of equal calls, those of the newest run stay. */
export function withCalls(base: Cassette, calls: readonly RecordedCall[]): Cassette {
  const runIds = [...new Set(calls.map(({ runId }) => runId))].sort();
  const inOrder = [...calls].sort((one, other) => one.row - other.row || one.attempt - other.attempt);
  return runIds.reduce((cassette, id) => {
    // Workers have already refused calls beyond the limit.
    const recording = new Recording(cassette, Infinity);
    for (const call of inOrder) if (call.runId === id) recording.take(call);
    return recording.cassette();
  }, base);
}
