// A pause that had been resumed and asked for anew was settled by the first one's answer: the run said paused, and gave
// its slot away, while rows ran.
import { expect, it } from 'vitest';
import { tell } from '../builders/run-control/story.ts';

it('a run that is paused, resumed and paused again is paused only when nothing runs', async () => {
  const world = { runsAtOnce: 1, maxWorkers: 1, slowCalls: 10, seed: 11 };
  const faults = await tell({
    world,
    steps: [
      { do: 'start', flow: 'skips', rows: ['fail'], times: 1 },
      { do: 'let', choices: [0, 0, 0, 0] },
      { do: 'pause', run: 0 },
      { do: 'resume', run: 0 },
      { do: 'pause', run: 0 },
      { do: 'resume', run: 0 },
      { do: 'pause', run: 0 },
      { do: 'let all' },
    ],
  });
  expect(faults).toEqual([]);
});
