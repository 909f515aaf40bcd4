// A pause that met the commit of the last row settled first, and the run was found complete afterwards. A paused run
// cannot complete, so the run counted as broken. Now a run that is pausing may become completed or failed.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run that is pausing when its last row is committed comes to its end', async () => {
  const world = {
    runsAtOnce: 1,
    maxWorkers: 1,
    slowCalls: 10,
    seed: 376543849,
  };
  const faults = await playStory({
    world,
    steps: [
      { do: 'start', flow: 'skips', rows: ['fail'], times: 1 },
      { do: 'let', choices: new Array<number>(11).fill(0) },
      { do: 'pause', run: 0 },
      { do: 'let', choices: [0] },
    ],
  });
  expect(faults).toEqual([]);
});
