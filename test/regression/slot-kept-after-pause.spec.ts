// A run that continued after a pause never freed its new slot: at its end it freed the slot that it had begun with.
// After as many pauses as there are slots, no run could start any more.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run that was paused and resumed gives its slot back when it ends', async () => {
  const faults = await playStory({
    world: { runsAtOnce: 1, maxWorkers: 1, slowCalls: 0, seed: 0 },
    steps: [
      { do: 'start', flow: 'skips', rows: ['work', 'done'], times: 1 },
      { do: 'let', choices: [0, 0, 0] },
      { do: 'pause', run: 0 },
      { do: 'let all' },
      { do: 'resume', run: 0 },
      { do: 'let all' },
      { do: 'start', flow: 'skips', rows: ['done'], times: 1 },
    ],
  });
  expect(faults).toEqual([]);
});
