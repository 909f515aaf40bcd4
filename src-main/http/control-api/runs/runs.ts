// Procedures on runs as a whole. A run is named by its id, or by a prefix or suffix unique to that id.
import {
  maxRunsAtOnce,
  type ControlCaller,
  type Handlers,
  type RerunInput,
  type RowSelection,
  type RunDetail,
} from '../../../contract/index.ts';
import { notForHosted } from '../../../domain/hosted-errors.ts';
import { thisMachine } from '../../../domain/run/run-filter.ts';
import { editedRowsFromNode } from '../../../domain/run-errors.ts';
import { isUnreadable } from '../../../domain/store-errors.ts';
import type { RowLines } from '../../../domain/run/row-numbers.ts';
import type { RunOrigin } from '../../../domain/run/run.ts';
import { readScenario } from '../../../domain/scenarios/parse-scenario.ts';
import { runView } from '../../../presenters/run-view.ts';
import { moveRuns } from '../../../services/runs/move-runs.ts';
import type { RerunWhat } from '../../../services/runs/reruns.ts';
import type { RunService } from '../../../services/runs/run-service.ts';
import type { Services } from '../../../services/services.ts';
import type { ClientKind, ControlHost } from '../control-host.ts';

/** The origin of a run. @param caller user of a team server */
export const runOriginOf = (kind: ClientKind, caller: ControlCaller | undefined): RunOrigin => ({
  kind,
  ...(caller === undefined ? {} : { user: caller.name }),
});

/** Failed rows in an answer: as many as a person reads; the rest is in the export. */
const maxFailures = 100;
/** Links to reruns in an answer: as many as a page shows. */
const maxReruns = 100;

export function createRunHandlers(
  { runs: { runs }, results: { runData } }: Services,
  { client }: ControlHost,
) {
  return {
    'run.list': async (query) => (await runs.list(query)).map(runView),
    'run.removed': async () => runs.retention.removed ?? null,
    'run.show': async (named) => {
      const runId = await runs.resolve(named.runId);
      const { reruns, isOriginalGone, originalRunId, isMerged } = await runs.links(runId, maxReruns);
      const record = await runs.get(runId);
      const { vars, readAs } = record.run;
      return {
        ...runView(record),
        ...(vars === undefined ? {} : { vars }),
        ...(readAs === undefined ? {} : { readAs }),
        ...(await failuresOf(runs, runId)),
        reruns,
        ...(isOriginalGone ? { isOriginalGone } : {}),
        ...(originalRunId === runId ? {} : { originalRunId }),
        ...(isMerged ? { isMerged } : {}),
      };
    },
    'run.label': async ({ runId, changes }) => runView(await runs.label(await runs.resolve(runId), changes)),
    'run.pause': async ({ runId }) => runView(await runs.pause(await runs.resolve(runId))),
    'run.resume': async ({ runId }) => runView(await runs.resume(await runs.resolve(runId))),
    'run.cancel': async ({ runId }) => runView(await runs.cancel(await runs.resolve(runId))),
    'run.remove': async ({ runId: named, ...choice }) => {
      const runId = await runs.resolve(named);
      await runs.remove(runId, choice);
      return { runId };
    },
    'run.rerun': async ({ runId: named, rows, from, mode, scenario, on, by }, caller) => {
      const runId = await runs.resolve(named);
      const what = rerunWhat(rows, { from, chosen: (selection) => runData.selectedRows(runId, selection) });
      if (on !== undefined && on !== thisMachine && mode !== undefined) throw notForHosted('mode');
      if (on !== undefined && on !== thisMachine && scenario !== undefined) throw notForHosted('scenario');
      const changes = {
        ...(on === undefined ? {} : { hosted: on === thisMachine ? undefined : { connection: on } }),
        ...(mode === undefined ? {} : { mode }),
        ...(scenario === undefined ? {} : { scenario: readScenario(scenario) }),
      };
      const order = { what, origin: runOriginOf(by ?? client, caller) };
      return runView(await runs.rerunWith(runId, changes, order));
    },
    'run.bulk': async ({ verb, filter, limit = maxRunsAtOnce, rows = 'all', by }, caller) => {
      const { runIds } = filter;
      const named =
        runIds === undefined ? {} : { runIds: await Promise.all(runIds.map((id) => runs.resolve(id))) };
      return moveRuns(runs, {
        verb,
        filter: { ...filter, ...named },
        limit,
        rows,
        origin: runOriginOf(by ?? client, caller),
      });
    },
  } satisfies Partial<Handlers>;
}

/** Throws `invalid_input` for edited rows that begin at a node. */
function rerunWhat(
  rows: RerunInput['rows'],
  {
    from,
    chosen,
  }: {
    readonly from: string | undefined;
    readonly chosen: (selection: RowSelection) => AsyncIterable<RowLines>;
  },
): RerunWhat {
  if (typeof rows === 'object' && 'lines' in rows) {
    if (from !== undefined) throw editedRowsFromNode();
    return rows;
  }
  const own = typeof rows === 'object' ? { chosen: chosen(rows.selection) } : rows;
  return from === undefined ? own : { rows: own, from };
}

/** The run's first failures. Damaged traces are no error: the rest of the run is still shown. */
async function failuresOf(
  runs: RunService,
  runId: string,
): Promise<Pick<RunDetail, 'failures' | 'failuresProblem'>> {
  try {
    return { failures: await runs.readFailures(runId, maxFailures) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { failures: [], failuresProblem: error.message };
  }
}
