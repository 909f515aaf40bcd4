import type { MockChoice } from '../workflow/choose-mocks.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { Table } from './table.ts';

/** A workflow that another one calls. */
export type CalledWorkflow = {
  readonly workflow: Workflow;
  /** Nodes of it that answer from a mock. */
  readonly choice: MockChoice;
  readonly tables: readonly Table[];
};

/** All that the runs of a workflow need beside its own file, read and checked. */
export type LoadedDependencies = {
  readonly tables: readonly Table[];
  /** Those that it calls, and those that they call, each once. */
  readonly workflows: readonly CalledWorkflow[];
};

export const noDependencies: LoadedDependencies = { tables: [], workflows: [] };
