// A run's work order, sent to row workers as it is.
import type { Table } from '../domain/sources/table.ts';
import type { ChosenMocks } from '../domain/workflow/choose-mocks.ts';
import type { WorkflowNode } from '../domain/workflow/workflow.ts';

/** The work order of one workflow. */
export type PlanPart = {
  readonly workflowId: string;
  /** In an order in which every node comes after all that it reads or follows; file order breaks ties. */
  readonly nodes: readonly WorkflowNode[];
  /** Nodes that answer from a mock instead of running, whatever their type. */
  readonly mocks: ChosenMocks;
  /** Those that its nodes look into. */
  readonly tables: readonly Table[];
};

export type Plan = PlanPart & {
  /** Those that its nodes call, and those that they call, each once. */
  readonly workflows: readonly PlanPart[];
  readonly concurrency: number;
  readonly onRowError: 'fail' | 'skip';
  /** True if a row can wait for something outside its own computing (a delay, a retry's pause, a call). */
  readonly mayWait: boolean;
  /** True if a row can call something outside this program. */
  readonly reachesOut: boolean;
};

/** Seeds that make a run repeatable: one for random numbers, one for the clock that expressions see. */
export type RunSeed = {
  /** 32-bit unsigned. */
  readonly random: number;
  /** Milliseconds since 1970; `Date.now()` and `new Date()` stand still at it. */
  readonly time: number;
};

/** Effects of a run's scenario on its rows. */
export type RowScenario = {
  /** This row fails in the first node after the input, whatever the node says about errors. */
  readonly failRow?: number;
  /** Each row waits that long before its first node, in ms. */
  readonly slowMs?: number;
};
