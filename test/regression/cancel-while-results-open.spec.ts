// A cancel that came while the run's results were being opened found no execution to end. An execution began while the
// cancel was being recorded, and ran rows after the cancel had been answered.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run that is cancelled while its results are being opened runs no row', async () => {
  const world = {
    runsAtOnce: 1,
    maxWorkers: 1,
    slowCalls: 50,
    seed: 1607359303,
  };
  const faults = await playStory({
    world,
    steps: [
      { do: 'start', flow: 'skips', rows: ['work'], times: 1 },
      { do: 'let', choices: new Array<number>(14).fill(0) },
      { do: 'start', flow: 'skips', rows: ['done'], times: 8 },
      { do: 'resume', run: 0 },
      { do: 'cancel', run: 0 },
      { do: 'let all' },
    ],
  });
  expect(faults).toEqual([]);
});
