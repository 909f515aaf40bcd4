// Comparisons of two runs, as services answer and as pages and the command line see them.
import type { RowFailure } from '../run/row-failure.ts';
import type { ComparedRow, ComparisonPage, ComparisonStep, ComparisonSummary } from './compare-runs.ts';
import type { ShownChange, ShownValue } from './difference-excerpt.ts';

export type ComparedRuns = {
  /** The whole ids of the runs; with `~N`, the attempts of the run's chain up to the Nth one. */
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** Ids of the runs of each side, oldest first. */
  readonly firstAttempts: readonly string[];
  readonly secondAttempts: readonly string[];
  /** True if the newest runs of both sides were accepted with the same text of the workflow. */
  readonly isSameWorkflow: boolean;
};

export type RunComparisonView = ComparisonSummary &
  ComparedRuns & {
    /**
     * The first differing rows that both runs have, in the order of the first one. Fewer than requested where their outputs
     * are too large for one answer.
     */
    readonly rows: readonly ComparedRow[];
  };

/** The end of a row that failed. */
export type ComparedFailure = Pick<RowFailure, 'nodeId' | 'message'>;

export type ComparedRowView = Omit<ComparedRow, 'fields' | 'inputs'> & {
  readonly fields?: readonly ShownChange[];
  /** Values of the requested fields of its input; null where it has none. */
  readonly inputs?: readonly (ShownValue | null)[];
  /** Why the row failed in that run. */
  readonly firstFailure?: ComparedFailure;
  readonly secondFailure?: ComparedFailure;
};

export type ComparisonPageView = Omit<ComparisonPage, 'rows'> &
  ComparedRuns & { readonly rows: readonly ComparedRowView[] };

/** Not ready: the work goes on with the next call. */
export type ComparisonStepView =
  Extract<ComparisonStep, { isReady: false }> | ({ readonly isReady: true } & ComparisonPageView);

/**
 * Why a comparison is offered. `before`: the rows of the chain before this attempt. `repeated`: the chain that it repeats.
 * `pinned`: the last pinned one of the workflow. `previous`: the one before it.
 */
export type PartnerReason = 'before' | 'repeated' | 'pinned' | 'previous';

/** A comparison that is offered for a run. Sides as in `ComparedRuns`; the older one is the first. */
export type ComparisonPartner = {
  readonly reason: PartnerReason;
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** The newest run of the side that the run is compared with. */
  readonly otherRunId: string;
  /** Name of that side's first run. */
  readonly otherName?: string;
  /** Rows that both sides have. */
  readonly rows: number;
};
