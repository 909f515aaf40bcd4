// Procedures on samples.
import type { Handlers } from '../../contract/index.ts';
import type { SampleService } from '../../services/sample-service.ts';
import { runOriginOf, runView, type RunDeps } from './runs.ts';

export type SampleDeps = Pick<RunDeps, 'runs' | 'origin'> & { readonly samples: SampleService };

export const createSampleHandlers = ({ runs, samples, origin }: SampleDeps) =>
  ({
    'run.sample': async ({ runId }) => (await samples.state(await runs.resolve(runId))) ?? null,
    'run.rest': async ({ runId, isAgain = false, by }, caller) => {
      const order = { isAgain, origin: runOriginOf(by ?? origin.kind, caller) };
      return runView(await samples.runRest(await runs.resolve(runId), order));
    },
  }) satisfies Partial<Handlers>;
