// The control API's procedures on the data of runs.
import type { Handlers } from '../contract/index.ts';
import type { RunDataService } from '../services/run-data-service.ts';
import type { RunService } from '../services/run-service.ts';

export type RowDataHandlers = Pick<
  Handlers,
  'run.outputs' | 'run.input' | 'run.value' | 'run.causes' | 'run.nodeSource'
>;

export const createRowDataHandlers = (data: RunDataService, runs: RunService): RowDataHandlers => ({
  'run.outputs': async ({ runId, ...wanted }) => data.outputs(await runs.resolve(runId), wanted),
  'run.input': async ({ runId, ...wanted }) => data.input(await runs.resolve(runId), wanted),
  'run.value': async ({ runId, ...wanted }) => (await data.value(await runs.resolve(runId), wanted)) ?? null,
  'run.causes': async ({ runId }) => data.causes(await runs.resolve(runId)),
  'run.nodeSource': async ({ runId, nodeId }) =>
    (await data.nodeSource(await runs.resolve(runId), nodeId)) ?? null,
});
