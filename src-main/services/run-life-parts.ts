import type { Upstream } from '../executor/ports.ts';
import type { RunExecutionOptions } from '../executor/run-execution-options.ts';
import type { Run } from '../domain/run/run.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { StoreHealth } from '../storage/store-health.ts';
import type { PlanCache } from './plan-cache.ts';
import type { RunLife } from './run-life.ts';

/** What the life of a run is lived with. */
export type RunLifeParts = Pick<RunExecutionOptions, 'pool' | 'clock' | 'log' | 'mostTraceBytes'> & {
  readonly store: RunStore;
  readonly health: StoreHealth;
  readonly plans: PlanCache;
  /** The retention clock, in ms. */
  readonly retentionNow: () => number;
  /** What the run's calls to the outside go through. */
  readonly upstreamOf: (run: Run) => Promise<Upstream>;
  /** Told after each change and each committed batch. */
  readonly onChange: (life: RunLife) => void;
  /** Called with a run that has to be executed again, once its `holdMs` are over. */
  readonly onTryLater: (life: RunLife) => void;
};
