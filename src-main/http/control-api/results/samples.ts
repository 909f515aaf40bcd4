// Procedures on samples.
import type { Handlers } from '../../../contract/index.ts';
import { runView } from '../../../presenters/run-view.ts';
import type { Services } from '../../../services/services.ts';
import type { ControlHost } from '../control-host.ts';
import { runOriginOf } from '../runs/runs.ts';

export const createSampleHandlers = (
  { runs: { runs }, results: { samples } }: Services,
  { client }: ControlHost,
) =>
  ({
    'run.sample': async ({ runId }) => (await samples.state(await runs.resolve(runId))) ?? null,
    'run.rest': async ({ runId, isAgain = false, by }, caller) => {
      const order = { isAgain, origin: runOriginOf(by ?? client, caller) };
      return runView(await samples.runRest(await runs.resolve(runId), order));
    },
  }) satisfies Partial<Handlers>;
