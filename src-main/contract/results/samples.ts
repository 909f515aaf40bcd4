// Samples: runs of some rows, whose other rows can be run later.
import { z } from 'zod';
import { answer, oneRun, operatorChange, runId, viewer } from '../procedure.ts';
import type { RunView } from '../runs/runs.ts';

/** The sample that a run is, or repeats. */
export type SampleView = {
  /** The run of the sample itself. */
  readonly sampleRunId: string;
  /** The choice, such as `first:20`, `random:20:7` (the seed is 7) or `each:country`. */
  readonly choice: string;
  /** Rows that are left to run. */
  readonly restRows: number;
  /** Runs of the rest, newest first. */
  readonly restRunIds: readonly string[];
  /** Time and tokens for the rest, from the sample's rows; absent while none of them has ended. */
  readonly estimate?: {
    readonly ms: number;
    readonly tokens?: { readonly prompt: number; readonly completion: number };
  };
};

const restInput = z.strictObject({
  runId,
  /** True to run the rest although it has been run. */
  isAgain: z.boolean().optional(),
  by: z.enum(['app', 'cli']).optional(),
});

export const sampleProcedures = {
  /** Null for a run that is no sample and repeats none. */
  'run.sample': viewer(oneRun, answer<SampleView | null>),
  /** Starts a run of the rows that the sample left out. */
  'run.rest': operatorChange(restInput, answer<RunView>),
};
