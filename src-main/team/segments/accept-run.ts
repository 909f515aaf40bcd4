// Prepares a run of a team in the transaction that accepts it: stores the networks that its calls may reach, and sends
// its first segments to the queue.
import type { AddressClass } from '../../domain/upstream/address-class.ts';
import type { Run } from '../../domain/run/run.ts';
import { hasQuickRows, type Plan } from '../../executor/plan.ts';
import { stopsOf } from '../../domain/run/run-decisions.ts';
import { runsChannel } from './locked-run.ts';
import { settleRun, type SettleDeps } from './settle-run.ts';
import type { Sql, Transaction } from '../sql.ts';

/**
 * Classes of addresses, by workflow id, that calls may reach in addition to the granted ones: an option of the server that
 * accepted the run allows them.
 */
type RunAccess = Readonly<Record<string, readonly AddressClass[]>>;

/** Classes of addresses that the calls of a workflow may reach, by its id. */
export type NetworkLookup = (workflowId: string) => readonly AddressClass[];

/** Steps of an acceptance that belong to a team. */
export type AcceptedRuns = {
  readonly prepare: (run: Run) => Promise<RunColumns>;
  /** Called in the transaction of the acceptance, after its rows and segments were inserted. */
  readonly onInserted: (sql: Transaction, inserted: InsertedRun) => Promise<void>;
};

type RunColumns = {
  /** Segments that may be in the queue or under way at the same time. */
  readonly queuedSegments: number;
  /** Maximum batches of rows in a segment. */
  readonly maxBatches: number;
  /** JSON of RunAccess. */
  readonly access: string;
};

type InsertedRun = RunColumns & { readonly run: Run; readonly owner: number; readonly segments: number };

type AcceptDeps = SettleDeps & {
  readonly planOf: (run: Run) => Promise<Plan>;
  readonly networkOf: NetworkLookup;
  /** Networks that users have granted. */
  readonly grantedTo: NetworkLookup;
  /** Notes the cassette that the run may use. */
  readonly pinCassette: (sql: Sql, run: Run, owner: number) => Promise<void>;
};

/** Segments of a run that are in the queue at the same time, so that no run fills it. */
const maxQueuedSegments = 1000;
/**
 * Maximum batches in a segment whose rows take microseconds: beginning and ending a segment takes as long as some 1,000
 * such rows. Twice as many batches save no more than a twentieth.
 */
const maxQuickBatches = 8;

export const acceptRuns = ({
  planOf,
  networkOf,
  grantedTo,
  pinCassette,
  ...deps
}: AcceptDeps): AcceptedRuns => ({
  prepare: async (run) => {
    const plan = await planOf(run);
    return {
      queuedSegments: mustRunInOrder(run, plan) ? 1 : maxQueuedSegments,
      maxBatches: hasQuickRows(plan) ? maxQuickBatches : 1,
      access: JSON.stringify(accessOf(run, { networkOf, grantedTo })),
    };
  },
  onInserted: async (sql, { run, owner, segments, ...columns }) => {
    await pinCassette(sql, run, owner);
    const inserted = { owner, run, ...columns, ...untouched };
    const counts = { running: 0, queued: 0, waiting: segments, left: segments };
    await settleRun(sql, inserted, { ...deps, counts });
    sql.notify(runsChannel, run.runId);
  },
});

/** Progress and requests of a run that was just inserted. */
const untouched = {
  ended: { counts: { rowsDone: 0, rowsFailed: 0 }, traceBytes: 0, statistics: undefined },
  isCancelRequested: false,
  failedSegment: undefined,
  pinned: undefined,
};

/** Networks that the calls of a run may reach at the moment of each call. @param grantedTo networks that users have granted */
export function networkOfAccess(access: string | undefined, grantedTo: NetworkLookup): NetworkLookup {
  const classes = access === undefined ? {} : (JSON.parse(access) as RunAccess);
  return (workflowId) => [
    ...grantedTo(workflowId),
    ...(Object.hasOwn(classes, workflowId) ? (classes[workflowId] ?? []) : []),
  ];
}

/**
 * True if a row may run only after all rows before it: their number, time or tokens decide whether it runs, or the workflow
 * says so.
 */
const mustRunInOrder = (run: Run, { tokenBudget, concurrency }: Plan): boolean =>
  concurrency === 1 || tokenBudget !== undefined || run.clock === 'virtual' || stopsOf(run).length > 0;

function accessOf(
  run: Run,
  { networkOf, grantedTo }: Pick<AcceptDeps, 'networkOf' | 'grantedTo'>,
): RunAccess {
  const ids = new Set([run.workflowId, ...(run.sources ?? []).map(({ workflowId }) => workflowId)]);
  const further = (id: string): readonly AddressClass[] => {
    const granted = grantedTo(id);
    return networkOf(id).filter((each) => !granted.includes(each));
  };
  return Object.fromEntries([...ids].map((id) => [id, further(id)]));
}
