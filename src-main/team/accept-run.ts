// What a team does with a run in the transaction that accepts it: notes what its calls may reach, and sends its first
// segments to the queue.
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Run } from '../domain/run/run.ts';
import type { Plan } from '../executor/plan.ts';
import { stopsOf } from '../services/run-scenario.ts';
import { lockRun, runsChannel } from './locked-run.ts';
import { settleRun, type SettleDeps } from './settle-run.ts';
import type { Sql } from './sql.ts';

/** Classes of addresses that a workflow's calls may reach, by the id of the workflow. */
export type RunAccess = Readonly<Record<string, readonly AddressClass[]>>;

type AcceptDeps = SettleDeps & {
  readonly planOf: (run: Run) => Promise<Plan>;
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
  /** Notes the cassette that the run may use. */
  readonly pinCassette: (sql: Sql, run: Run, owner: number) => Promise<void>;
};

/** Segments of a run that are in the queue at the same time, so that no run fills it. */
const maxQueuedSegments = 1000;

export const acceptRun =
  ({ planOf, networkOf, pinCassette, ...deps }: AcceptDeps) =>
  async (sql: Sql, run: Run, owner: number): Promise<void> => {
    const queued = mustRunInOrder(run, await planOf(run)) ? 1 : maxQueuedSegments;
    const access = JSON.stringify(accessOf(run, networkOf));
    await sql.query('update rowbench.runs set queued_segments = $2, access = $3 where owner = $1', [
      owner,
      queued,
      access,
    ]);
    await pinCassette(sql, run, owner);
    const locked = await lockRun(sql, owner);
    if (locked !== undefined) await settleRun(sql, locked, deps);
    await sql.query(`select pg_notify('${runsChannel}', $1)`, [run.runId]);
  };

/** The access that a run was accepted with, as `networkOf`. */
export function networkOfAccess(access: string | undefined): (workflowId: string) => readonly AddressClass[] {
  const classes = access === undefined ? {} : (JSON.parse(access) as RunAccess);
  return (workflowId) => (Object.hasOwn(classes, workflowId) ? (classes[workflowId] ?? []) : []);
}

/** True if a row may only run once those before it have ended: their number, time or tokens decide what comes next. */
const mustRunInOrder = (run: Run, { tokenBudget }: Plan): boolean =>
  tokenBudget !== undefined || run.clock === 'virtual' || stopsOf(run).length > 0;

function accessOf(run: Run, networkOf: AcceptDeps['networkOf']): RunAccess {
  const ids = new Set([run.workflowId, ...(run.sources ?? []).map(({ workflowId }) => workflowId)]);
  return Object.fromEntries([...ids].map((id) => [id, networkOf(id)]));
}
