import { ComparisonService } from '../services/comparison-service.ts';
import { ExportService } from '../services/export-service.ts';
import { RunDataService } from '../services/run-data-service.ts';
import type { RunService } from '../services/run-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { RunStores } from '../storage/open-run-stores.ts';

/** The services that answer questions about rows of runs. */
export type RowQueryServices = {
  readonly runData: RunDataService;
  readonly comparisons: ComparisonService;
  readonly runExports: ExportService;
};

type RowQueryDeps = { readonly runs: RunService; readonly workflows: WorkflowService };

export const openRowQueries = (
  { runs, workflows }: RowQueryDeps,
  { runs: store, snapshots, queries }: Pick<RunStores, 'runs' | 'snapshots' | 'queries'>,
): RowQueryServices => {
  const runData = new RunDataService({ runs, workflows, store, snapshots, queries });
  return {
    runData,
    comparisons: new ComparisonService({ runs, store, queries }),
    runExports: new ExportService({ store, runData }),
  };
};
