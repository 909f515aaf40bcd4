import { ComparisonService } from '../services/comparison-service.ts';
import { RunDataService } from '../services/run-data-service.ts';
import type { RunService } from '../services/run-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { RunStores } from '../storage/open-run-stores.ts';

/** The services that answer questions about rows of runs. */
export type RowQueryServices = {
  readonly runData: RunDataService;
  readonly comparisons: ComparisonService;
};

type RowQueryDeps = { readonly runs: RunService; readonly workflows: WorkflowService };

export const openRowQueries = (
  { runs, workflows }: RowQueryDeps,
  { runs: store, snapshots, queries }: Pick<RunStores, 'runs' | 'snapshots' | 'queries'>,
): RowQueryServices => ({
  runData: new RunDataService({ runs, workflows, store, snapshots, queries }),
  comparisons: new ComparisonService({ runs, store, queries }),
});
