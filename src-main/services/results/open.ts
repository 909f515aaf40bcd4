// Rows of runs with what came of them.
import type { Platform } from '../platform.ts';
import type { RowsetsRoom } from '../rowsets/open.ts';
import type { RunsRoom } from '../runs/open.ts';
import type { WorkflowsRoom } from '../workflows/open.ts';
import { ChainService } from './chain-service.ts';
import { ComparisonService } from './comparison-service.ts';
import { ExportService } from './export-service.ts';
import { RunDataService } from './run-data-service.ts';
import { SampleService } from './sample-service.ts';
import { TableQueries } from './table-queries.ts';
import { TraceService } from './trace-service.ts';

export type ResultsRoom = ReturnType<typeof openResults>;

type RoomsBelow = {
  readonly runs: RunsRoom;
  readonly workflows: WorkflowsRoom;
  readonly rowsets: RowsetsRoom;
};

export function openResults({ clock, log, processes, backend }: Platform, below: RoomsBelow) {
  const { runs: store, snapshots, queries } = backend.stores;
  const { pool, parser } = processes;
  const { runs, plans, upstreamOf } = below.runs;
  const { workflows, trust } = below.workflows;
  const { rowSets } = below.rowsets;
  const tables = new TableQueries({ queries, store, plans });
  return {
    chains: new ChainService({ runs, store, queries, clock, log }),
    traces: new TraceService({ runs, workflows, trust, store, plans, pool, upstreamOf, clock, log }),
    runData: new RunDataService({ runs, workflows, store, snapshots, queries, tables, parser }),
    comparisons: new ComparisonService({ runs, store, queries }),
    samples: new SampleService({ runs, rowSets, store, plans }),
    runExports: new ExportService({ store, queries: tables }),
  };
}
