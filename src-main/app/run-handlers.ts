// The control API's verbs on runs. A run is named by its id, or by a prefix or suffix unique to that id.
import { maxRunsAtOnce, type Handlers, type RunDetail } from '../contract/index.ts';
import { editedRowsFromNode, isUnreadable } from '../domain/errors.ts';
import type { RunOrigin } from '../domain/run/run.ts';
import { moveRuns } from '../services/move-runs.ts';
import type { RunService } from '../services/run-service.ts';
import type { RowDataHandlers } from './row-data-handlers.ts';
import type { TraceHandlers } from './trace-handlers.ts';
import { runView } from './views.ts';

type RunHandlers = Omit<
  Pick<Handlers, Extract<keyof Handlers, `run.${string}`>>,
  keyof TraceHandlers | keyof RowDataHandlers | 'run.kept'
>;

type RunHandlerParts = {
  readonly runs: RunService;
  /** Who is behind a call that does not say. */
  readonly origin: RunOrigin;
};

/** As many failed rows as a person reads; the rest is in the export. */
const failuresShown = 100;
/** As many links as a page shows. */
const rerunsShown = 100;

export function createRunHandlers({ runs, origin }: RunHandlerParts): RunHandlers {
  const originOf = (by: 'app' | 'cli' | undefined): RunOrigin => (by === undefined ? origin : { kind: by });
  return {
    'run.list': async (query) => (await runs.list(query)).map(runView),
    'run.removed': async () => runs.retention.removed ?? null,
    'run.show': async (named) => {
      const runId = await runs.resolve(named.runId);
      const { reruns, isOriginalGone } = await runs.links(runId, rerunsShown);
      return {
        ...runView(await runs.get(runId)),
        ...(await failuresOf(runs, runId)),
        reruns,
        ...(isOriginalGone ? { isOriginalGone } : {}),
      };
    },
    'run.pause': async ({ runId }) => runView(await runs.pause(await runs.resolve(runId))),
    'run.resume': async ({ runId }) => runView(await runs.resume(await runs.resolve(runId))),
    'run.cancel': async ({ runId }) => runView(await runs.cancel(await runs.resolve(runId))),
    'run.rerun': async ({ runId, rows, from, by }) => {
      if (from !== undefined && typeof rows === 'object') throw editedRowsFromNode();
      const what = from === undefined || typeof rows === 'object' ? rows : { rows, from };
      return runView(await runs.rerun(await runs.resolve(runId), what, originOf(by)));
    },
    'run.bulk': async ({ verb, filter, limit = maxRunsAtOnce, rows = 'all', by }) => {
      const { runIds } = filter;
      const named =
        runIds === undefined ? {} : { runIds: await Promise.all(runIds.map((id) => runs.resolve(id))) };
      return moveRuns(runs, { verb, filter: { ...filter, ...named }, limit, rows, origin: originOf(by) });
    },
  };
}

/** Where traces are damaged, everything else of the run is still to be seen. */
async function failuresOf(
  runs: RunService,
  runId: string,
): Promise<Pick<RunDetail, 'failures' | 'failuresProblem'>> {
  try {
    return { failures: await runs.readFailures(runId, failuresShown) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { failures: [], failuresProblem: error.message };
  }
}
