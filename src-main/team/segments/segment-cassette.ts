// The cassette of a run while one of its segments runs: answers as they were at the run's acceptance, and the calls that
// this attempt records, which are stored together with the results of their rows. Who calls: SegmentRun.
import { isSameJson } from '../../base/json-value.ts';
import { type Cassette, emptyCassette, maxCassetteBytes } from '../../domain/cassette/cassette.ts';
import { matchText } from '../../domain/cassette/match-request.ts';
import { readCassette } from '../../domain/cassette/read-cassette.ts';
import { type RecordedCall, Recording } from '../../domain/cassette/recording.ts';
import { rowNumberAt } from '../../domain/run/row-numbers.ts';
import { cassetteFull, cassetteInvalid } from '../../domain/workflow-errors.ts';
import type { CassetteRecorder, RowBatch, RowReader, WorkflowCassette } from '../../executor/ports.ts';
import { textHash } from '../../files/text-file.ts';
import type { SnapshotStore } from '../../storage/runs/snapshot-store.ts';
import type { TeamSql, Sql } from '../sql.ts';

/** The cassette that a run may use. */
export type PinnedCassette = {
  readonly name: string;
  /** Hash of the snapshot; absent: nothing was recorded. */
  readonly hash?: string;
};

type CassetteDeps = {
  readonly database: TeamSql;
  readonly snapshots: Pick<SnapshotStore, 'get'>;
};

/** Reads the cassettes of runs; segments of the same run share the last one. */
export class PinnedCassettes {
  readonly #deps: CassetteDeps;
  #last: { readonly hash: string; readonly cassette: Promise<Cassette | undefined> } | undefined;

  constructor(deps: CassetteDeps) {
    this.#deps = deps;
  }

  /** Throws `invalid_input` if it is damaged. */
  read({ name, hash }: PinnedCassette): Promise<Cassette | undefined> {
    if (hash === undefined) return Promise.resolve(undefined);
    if (this.#last?.hash === hash) return this.#last.cassette;
    const cassette = this.#read(name, hash);
    this.#last = { hash, cassette };
    cassette.catch(() => (this.#last = undefined));
    return cassette;
  }

  /** Bytes of the calls of a workflow that wait to be added to its cassette. */
  async waitingBytes(workflowId: string): Promise<number> {
    const [found] = await this.#deps.database.query<{ bytes: number }>(
      `select coalesce(sum(octet_length(call)), 0)::bigint as bytes
       from rowbench.recorded_calls where workflow_id = $1`,
      [workflowId],
    );
    return found?.bytes ?? 0;
  }

  async #read(name: string, hash: string): Promise<Cassette | undefined> {
    const text = await this.#deps.snapshots.get(hash);
    if (text === undefined) return undefined;
    const read = readCassette(text);
    if ('problem' in read) throw cassetteInvalid(name, read.problem);
    return read.cassette;
  }
}

type SegmentCassetteOptions = {
  readonly workflowId: string;
  readonly pinned: PinnedCassette;
  readonly cassettes: Pick<PinnedCassettes, 'read' | 'waitingBytes'>;
};

export class SegmentCassette implements WorkflowCassette {
  readonly #options: SegmentCassetteOptions;
  /** Batches whose rows have no results yet. */
  #batches: RowBatch[] = [];
  /** Calls by row number, of rows that have no results yet. */
  readonly #calls = new Map<number, RecordedCall[]>();
  #matchHeaders: readonly string[] = [];
  #waitingBytes: Promise<number> | undefined;
  #bytes = 0;

  constructor(options: SegmentCassetteOptions) {
    this.#options = options;
  }

  get label(): string {
    return this.#options.pinned.name;
  }

  read(): Promise<Cassette | undefined> {
    const { cassettes, pinned } = this.#options;
    return cassettes.read(pinned);
  }

  async record(): Promise<CassetteRecorder> {
    const { matchHeaders, keepHeaders } = (await this.read()) ?? emptyCassette;
    this.#matchHeaders = matchHeaders;
    return {
      matchHeaders,
      keepHeaders,
      add: (call) => this.#add(call),
      // The other calls belong to rows without results, which run again.
      close: () => Promise.resolve(),
    };
  }

  /** The same reader, which also stores the numbers of its rows. */
  watch(reader: RowReader): RowReader {
    return {
      next: async (maxRows, maxBytes) => {
        const batch = await reader.next(maxRows, maxBytes);
        if (batch !== undefined) this.#batches.push({ ...batch, bytes: noBytes });
        return batch;
      },
      close: () => reader.close(),
    };
  }

  /** The calls of rows up to this position. */
  callsUpTo(lastRow: number): RecordedCalls {
    const { workflowId } = this.#options;
    const number = this.#numberOf(lastRow);
    const calls = [...this.#calls].flatMap(([row, ofRow]) => (row <= number ? ofRow : []));
    return { workflowId, calls, matchHeaders: this.#matchHeaders };
  }

  /** Removes the calls of rows up to this position from memory, once they are stored. */
  forgetUpTo(lastRow: number): void {
    const number = this.#numberOf(lastRow);
    for (const row of this.#calls.keys()) if (row <= number) this.#calls.delete(row);
    this.#batches = this.#batches.filter(({ firstRow, rows }) => firstRow + rows - 1 > lastRow);
  }

  async #add(call: RecordedCall): Promise<void> {
    const { cassettes, workflowId } = this.#options;
    this.#bytes += Buffer.byteLength(JSON.stringify(call));
    const waiting = await (this.#waitingBytes ??= cassettes.waitingBytes(workflowId));
    if (waiting + this.#bytes > maxCassetteBytes) throw cassetteFull(maxCassetteBytes);
    const others = (this.#calls.get(call.row) ?? []).filter((other) => !isRepeatedBy(call, other));
    this.#calls.set(call.row, [...others, call]);
  }

  #numberOf(position: number): number {
    const batch = this.#batches.find(({ firstRow, rows }) => position < firstRow + rows);
    return batch === undefined ? Infinity : rowNumberAt(batch, position - batch.firstRow);
  }
}

const noBytes = new Uint8Array();

/** True if the call is the first one of a repeated row, and `other` belongs to an earlier attempt. */
const isRepeatedBy = (call: RecordedCall, other: RecordedCall): boolean =>
  call.attempt === 1 && call.site === other.site && isSameJson(call.request, other.request);

/**
 * Calls that runs record, as rows of a table: of equal calls at one place, only those of the lowest row stay, so that it
 * makes no difference which worker was first.
 */
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
