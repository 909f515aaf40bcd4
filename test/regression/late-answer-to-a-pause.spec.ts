// A worker's late answer to a pause arrived after the resume and was taken as its answer to the next pause. The run was
// reported as paused while rows ran.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run that is paused again after a late answer to its first pause is paused only when nothing runs', async () => {
  const world = { runsAtOnce: 1, maxWorkers: 1, slowCalls: 0, seed: 0 };
  const faults = await playStory({
    world,
    steps: [
      { do: 'start', flow: 'skips', rows: ['call, then go on'], times: 1 },
      { do: 'let all' },
      { do: 'pause', run: 0 },
      { do: 'resume', run: 0 },
      { do: 'start', flow: 'skips', rows: ['wait'], times: 1 },
      { do: 'let', choices: [0, 0, 0] },
      { do: 'advance', minutes: 2 },
      { do: 'start', flow: 'skips', rows: ['call, then go on'], times: 1 },
      { do: 'let', choices: [0] },
      { do: 'pause', run: 3 },
    ],
  });
  expect(faults).toEqual([]);
});
