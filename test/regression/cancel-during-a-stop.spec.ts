// A run was cancelled while the server stopped. Rows that had ended behind a row in progress were not stored.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

it('a run that is cancelled just before a stop keeps the rows that have ended', async () => {
  const faults = await playStory({
    world: { runsAtOnce: 1, maxWorkers: 1, slowCalls: 0, seed: 0 },
    steps: [
      { do: 'start', flow: 'skips', rows: ['wait', 'done'], times: 1 },
      { do: 'let all' },
      { do: 'cancel', run: 0 },
      { do: 'restart' },
    ],
  });
  expect(faults).toEqual([]);
});
