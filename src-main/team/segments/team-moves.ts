// The moves that users make with a run of a team. Who calls: TeamRuns on servers; SegmentRun, for the limits of a run.
import { isoTime } from '../../base/clock.ts';
import { resumedRun, type RunLimit } from '../../domain/run/run-decisions.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import { labelRun, moveRun, nextStatus, type MoveData, type Run } from '../../domain/run/run.ts';
import type { LabelChanges } from '../../domain/run/run-labels.ts';
import { lockRun, saveLockedRun, type LockedRun } from './locked-run.ts';
import { obeyLimit, requestCancel, settleRun, takeBackLost, type SettleDeps } from './settle-run.ts';
import type { TeamSql, Transaction } from '../sql.ts';
import { withStoreErrors } from '../team-errors.ts';

type MoveDeps = SettleDeps & { readonly database: TeamSql };

/** Every move resolves to undefined for a run that has ended or does not exist, and throws `move_not_allowed`. */
export class TeamMoves {
  readonly #deps: MoveDeps;

  constructor(deps: MoveDeps) {
    this.#deps = deps;
  }

  pause(runId: string): Promise<Run | undefined> {
    return this.#change(runId, (sql, locked) =>
      this.#save(sql, locked, moveRun(locked.run, 'pause', this.#now(locked))),
    );
  }

  resume(runId: string): Promise<Run | undefined> {
    return this.#change(runId, (sql, locked) =>
      this.#save(sql, locked, resumedRun(locked.run, this.#now(locked))),
    );
  }

  /** Requests the end of a run, which follows once none of its segments is under way. */
  cancel(runId: string): Promise<Run | undefined> {
    return this.#change(runId, async (sql, locked) => {
      nextStatus(locked.run.status, 'cancel');
      return requestCancel(sql, locked);
    });
  }

  label(runId: string, changes: LabelChanges): Promise<Run | undefined> {
    return this.#change(runId, (sql, locked) => this.#save(sql, locked, labelRun(locked.run, changes)));
  }

  /** Pauses or cancels a run whose scenario or budget says so. */
  obeyLimit(runId: string, limit: RunLimit): Promise<Run | undefined> {
    return this.#change(runId, (sql, locked) => obeyLimit(sql, locked, { ...this.#deps, limit }));
  }

  /** Continues a user's move if the workers of the run are lost. */
  settle(runId: string): Promise<Run | undefined> {
    return this.#change(runId, async (sql, locked) => {
      if (locked.isCancelRequested || locked.run.status === 'pausing')
        await takeBackLost(sql, locked, this.#deps);
      return locked;
    });
  }

  #change(
    runId: string,
    change: (sql: Transaction, locked: LockedRun) => Promise<LockedRun>,
  ): Promise<Run | undefined> {
    return withStoreErrors(() =>
      this.#deps.database.transaction(async (sql) => {
        const locked = await lockRun(sql, runId);
        if (locked === undefined || isFinal(locked.run.status)) return undefined;
        return settleRun(sql, await change(sql, locked), this.#deps);
      }),
    );
  }

  #now({ ended: { counts } }: LockedRun): MoveData {
    return { at: isoTime(this.#deps.clock), counts };
  }

  async #save(sql: Transaction, locked: LockedRun, run: Run): Promise<LockedRun> {
    await saveLockedRun(sql, locked.owner, run);
    return { ...locked, run };
  }
}
