// Chains: runs with the runs that run a part of their rows again (attempts).
import { z } from 'zod';
import { answer, oneRun, runId, viewer } from '../procedure.ts';
import { maxCountedChains } from '../../domain/run/chain.ts';
import type { RunLabels } from '../../domain/run/run-labels.ts';
import type { RunView } from './runs.ts';

/** Rows of a chain by their results: `done + failed + notRun + unknown = rows`, where `unknown` counts as 0 if it is absent. */
export type ChainCounts = {
  /** The id of its first run. */
  readonly chainId: string;
  /** All of them, also those that a sample left out. */
  readonly rows: number;
  /** Rows that have an output in one of the attempts. */
  readonly done: number;
  /** Rows without an output that have failed. */
  readonly failed: number;
  /** Rows without a result. */
  readonly notRun: number;
  /**
   * Rows of attempts that have not ended at a hosted service, and may have an output there. No other attempt takes them.
   * Absent: none.
   */
  readonly unknown?: number;
  /** Rows without an output that an attempt may take: `failed + notRun`. */
  readonly open: number;
  readonly attempts: number;
  /** The name of the file that the rows came from; absent: it is unknown. */
  readonly source?: string;
  /** Name, note, tags and pin of its first run; absent: none. */
  readonly labels?: RunLabels;
};

/** A run of a chain. */
export type ChainAttempt = RunView & {
  /** Its workflow differs from that of the attempt before it. */
  readonly isWorkflowChanged?: true;
  /** Rows whose first output is from this attempt. Absent: none. */
  readonly newOutputs?: number;
  /** Those of them that had failed before. Absent: none. */
  readonly fixed?: number;
  /** Rows that had failed before and failed in this attempt, too. Absent: none. */
  readonly failedAgain?: number;
};

export type ChainView = {
  readonly counts: ChainCounts;
  /** Oldest first. */
  readonly attempts: readonly ChainAttempt[];
};

export const chainProcedures = {
  /** The chain of a run, which may be any of its attempts. */
  'chain.show': viewer(oneRun, answer<ChainView>),
  /** Counts of chains by the ids of their first runs; those that are not stored, or damaged, are left out. */
  'chain.counts': viewer(
    z.strictObject({ chainIds: z.array(runId).max(maxCountedChains) }),
    answer<readonly ChainCounts[]>,
  ),
};
