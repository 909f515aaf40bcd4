// Procedures and routes on the data of runs: rows, outputs, single values and causes of failures.
import { chosenRowsInput, type Handlers } from '../../../contract/index.ts';
import { parseWith } from '../../../contract/parse-input.ts';
import { invalidQuery } from '../../../domain/request-errors.ts';
import type { ResultsRoom } from '../../../services/results/open.ts';
import type { RunsRoom } from '../../../services/runs/open.ts';
import type { Services } from '../../../services/services.ts';
import type { ControlRoute } from '../control-route.ts';
import { callReading, readCallInput } from '../read-call-input.ts';
import { queryOf, streamFailures, streamRows, type StreamDeps } from '../stream-rows.ts';

export const createRunDataHandlers = ({ results: { runData: data }, runs: { runs } }: Services) =>
  ({
    'run.value': async ({ runId, ...choice }) =>
      (await data.value(await runs.resolve(runId), choice)) ?? null,
    'run.causes': async ({ runId, latest }) => data.causes(await runs.resolve(runId), latest),
    'run.nodeSource': async ({ runId, ...failure }) =>
      (await data.nodeSource(await runs.resolve(runId), failure)) ?? null,
    'run.columns': async ({ runId, latest }) => data.columns(await runs.resolve(runId), latest),
    'run.table': async ({ runId, ...request }) => data.table(await runs.resolve(runId), request),
    'run.overview': async ({ runId, ...request }) => data.overview(await runs.resolve(runId), request),
    'run.locate': async ({ runId, ...request }) => data.locate(await runs.resolve(runId), request),
    'run.statistics': async ({ runId, ...request }) => data.statistics(await runs.resolve(runId), request),
    'run.workflowText': async ({ runId }) => (await data.workflowText(await runs.resolve(runId))) ?? null,
    'run.find': (query) => data.find(query),
  }) satisfies Partial<Handlers>;

export const createComparisonHandlers = ({ comparisons }: ResultsRoom) =>
  ({
    'run.compare': (input) => comparisons.compare(input),
    'run.comparePage': (input) => comparisons.page(input),
    'run.comparePartners': ({ runId }) => comparisons.partners(runId),
  }) satisfies Partial<Handlers>;

/** `GET /runs/<id>/rows?which=failed`: the run's rows, or those without an output, as lines. */
export const runRowsRoute = ({ runs }: RunsRoom, deps: StreamDeps): ControlRoute => ({
  name: 'run.readRows',
  method: 'GET',
  path: /^\/runs\/([^/]+)\/rows$/,
  answer: async (context, [runId = '']) => {
    const which = queryOf(context, 'which') ?? 'all';
    if (which !== 'all' && which !== 'failed') throw invalidQuery('which', '"all" or "failed"');
    await streamRows(context, await runs.readRows(await runs.resolve(runId), which), deps);
  },
});

/** `POST /runs/<id>/rows`: the rows of the selection in the body, in the order of the run, as lines. */
export const selectedRowsRoute = (
  { runs: { runs }, results: { runData } }: Services,
  deps: StreamDeps,
): ControlRoute => ({
  name: 'run.readSelectedRows',
  method: 'POST',
  path: /^\/runs\/([^/]+)\/rows$/,
  answer: async (context, [runId = '']) => {
    const body = await readCallInput(context.req, { ...callReading, clock: deps.clock });
    const { selection } = parseWith(chosenRowsInput, body);
    await streamRows(context, runData.selectedRows(await runs.resolve(runId), selection), deps);
  },
});

/**
 * `GET /runs/<id>/failures`: the fields that nodes read, then why each failed row of the run failed, as lines. With
 * `latest=yes` rows of the run's chain that have no output, each with its newest failure.
 */
export const runFailuresRoute = (
  { runs: { runs }, results: { runData } }: Services,
  deps: StreamDeps,
): ControlRoute => ({
  method: 'GET',
  name: 'run.readFailures',
  path: /^\/runs\/([^/]+)\/failures$/,
  answer: async (context, [prefix = '']) => {
    const runId = await runs.resolve(prefix);
    const head = { fieldsRead: await runData.fieldsRead(runId) };
    const isOfChain = queryOf(context, 'latest') === 'yes';
    const failures = isOfChain ? runData.chainFailures(runId) : runs.eachFailure(runId);
    await streamFailures(context, { head, failures }, deps);
  },
});
