// A run accepted while an earlier process's runs were being read was queued before them: it took the slot of one that
// said running, which then waited behind it.
import { expect, it } from 'vitest';
import { tell } from '../builders/run-control/story.ts';

it('a run accepted during recovery goes after the runs that were executing', async () => {
  const world = { runsAtOnce: 1, maxWorkers: 1, slowCalls: 100, seed: 0 };
  const faults = await tell({
    world,
    steps: [
      { do: 'start', flow: 'skips', rows: ['wait', 'fail'], times: 1 },
      { do: 'restart' },
      { do: 'start', flow: 'skips', rows: ['done'], times: 1 },
    ],
  });
  expect(faults).toEqual([]);
});
