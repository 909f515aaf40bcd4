// Chains: a run and the runs that run a part of its rows again, its attempts. A row's result is its newest output in the
// chain, else its newest failure. The chain of a run is decided when the run is accepted (decision 051).
import type { RerunKind } from './rerun-kind.ts';

/**
 * The rows that a run has, of those of its chain. `sample`: some of a row set. `rest`: those that a sample left out.
 * `open`: those without an output. `rows`: rows that a user selected. `edited`: rows that a user changed.
 */
export const runPartNames = ['sample', 'rest', 'open', 'rows', 'edited'] as const;
export type RunPart = (typeof runPartNames)[number];

type InChain = { readonly runId: string; readonly chainId?: string | undefined };

/** The id of the chain's first run. */
export const chainIdOf = ({ runId, chainId }: InChain): string => chainId ?? runId;

/** The record with the chain that its store knows; records of earlier versions name none. */
export const inChain = <Record extends InChain>(run: Record, chainId: string): Record =>
  chainIdOf(run) === chainId ? run : { ...run, chainId };

/** Rows of the chain that a run begins: a sample's chain has all rows of its set. */
export const rowsOfChain = ({
  rows,
  sample,
}: {
  readonly rows: number;
  readonly sample?: { readonly rows: number } | undefined;
}): number => sample?.rows ?? rows;

/** Rows that the attempts of a chain have, each once: those with an output, and those whose newest result is a failure. */
export type ChainRows = {
  readonly rows: number;
  readonly done: number;
  /** Without those that are unknown. */
  readonly failed: number;
  /** Rows without an output of attempts that may still bring one from a hosted service; absent: none. */
  readonly unknown?: number;
  /** By attempt, oldest first; empty for a chain of one. */
  readonly gains: readonly AttemptGains[];
};

/** Rows of an attempt by their results before it and in it. */
export type AttemptGains = {
  /** Rows whose first output is from this attempt. */
  readonly newOutputs: number;
  /** Those of them that had failed before. */
  readonly fixed: number;
  /** Rows that had failed before and failed once more. */
  readonly failedAgain: number;
};

/** Chains whose rows are counted at once. */
export const maxCountedChains = 100;

type Rerun = {
  readonly kind: RerunKind;
  /** Absent: all rows of the repeated run, or those of an earlier version. */
  readonly part?: RunPart | undefined;
  readonly rows: number;
};

type RepeatedRun = {
  /** It began its chain. */
  readonly isFirst: boolean;
  readonly rows: number;
  /** A row of it is done. */
  readonly hasOutput: boolean;
  /** Rows of its chain. */
  readonly chainRows: number;
};

/**
 * True if a rerun is an attempt of the repeated run's chain: it has a part of the chain's rows under their numbers, and
 * its calls are answered in the same way. Any other rerun begins a chain.
 */
export function joinsChain({ kind, part, rows }: Rerun, repeated: RepeatedRun): boolean {
  if (kind !== 'completes') return false;
  if (part === 'rest' || part === 'open') return true;
  // Chosen or edited rows of a run without an output are open rows, even if they are all of its rows.
  if (part !== undefined && !repeated.hasOutput && rows <= repeated.rows) return true;
  // Chosen rows may be those of other attempts: all rows of the chain count then.
  const isWhole = part === undefined || part === 'sample';
  if (isWhole && repeated.isFirst && rows >= repeated.rows) return false;
  return rows < repeated.chainRows;
}
