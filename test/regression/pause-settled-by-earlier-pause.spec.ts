// A pause that was resumed and requested again was settled by the answer to the first pause. The run was reported as
// paused, and freed its slot, while rows ran.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run that is paused, resumed and paused again is paused only when nothing runs', async () => {
  const world = { runsAtOnce: 1, maxWorkers: 1, slowCalls: 10, seed: 11 };
  const faults = await playStory({
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
