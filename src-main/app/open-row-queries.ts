import { ComparisonService } from '../services/comparison-service.ts';
import { ExportService } from '../services/export-service.ts';
import type { FileParser } from '../services/file-parser.ts';
import type { PlanCache } from '../services/plan-cache.ts';
import type { RowSetService } from '../services/row-set-service.ts';
import { RunDataService } from '../services/run-data-service.ts';
import type { RunService } from '../services/run-service.ts';
import { SampleService } from '../services/sample-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { RunStores } from '../storage/open-run-stores.ts';

/** The services that answer questions about rows of runs. */
export type RowQueryServices = {
  readonly runData: RunDataService;
  readonly comparisons: ComparisonService;
  readonly runExports: ExportService;
  readonly samples: SampleService;
};

type RowQueryDeps = {
  readonly runs: RunService;
  readonly workflows: WorkflowService;
  readonly rowSets: RowSetService;
  readonly plans: PlanCache;
  readonly parser: FileParser;
};

export const openRowQueries = (
  { runs, workflows, rowSets, plans, parser }: RowQueryDeps,
  { runs: store, snapshots, queries }: Pick<RunStores, 'runs' | 'snapshots' | 'queries'>,
): RowQueryServices => ({
  runData: new RunDataService({ runs, workflows, store, snapshots, queries, parser }),
  comparisons: new ComparisonService({ runs, store, queries }),
  samples: new SampleService({ runs, rowSets, store, plans }),
  runExports: new ExportService({ store, queries }),
});
