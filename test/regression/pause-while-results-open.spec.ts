// Opening a run's results removes leftovers of interrupted saves of its record. A pause at that moment lost the file
// that it was writing. The whole store then accepted nothing until a restart.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run is paused while its results are being opened', async () => {
  const world = { runsAtOnce: 1, maxWorkers: 1, slowCalls: 50, seed: 0 };
  const faults = await playStory({
    world,
    steps: [
      { do: 'start', flow: 'skips', rows: ['wait'], times: 1 },
      { do: 'let', choices: new Array<number>(14).fill(0) },
      { do: 'pause', run: 0 },
    ],
  });
  expect(faults).toEqual([]);
});
