// A cancel discarded rows that had ended, and calls that were paid for: a slower row before them had kept them from
// being stored.
import { expect, it } from 'vitest';
import { playStory } from '../builders/run-control/story.ts';

const world = { runsAtOnce: 1, maxWorkers: 1, slowCalls: 0, seed: 0 };

it('a cancelled run keeps rows that have ended behind a slow one', async () => {
  const faults = await playStory({
    world,
    steps: [
      { do: 'start', flow: 'calls', rows: ['wait', 'call', 'fail'], times: 1 },
      { do: 'let all' },
      { do: 'cancel', run: 0 },
      { do: 'let all' },
      { do: 'rerun', run: 0, rows: 'failed' },
    ],
  });
  expect(faults).toEqual([]);
});

// `slowCalls` lets every disk call wait, so that some prefix of the cancel's last commit is all that there is.
it.each(Array.from({ length: 30 }, (_, calls) => calls))(
  'a process that ends %i disk calls into a cancel leaves a run that is cancelled or goes on',
  async (calls) => {
    const faults = await playStory({
      world: { ...world, slowCalls: 100 },
      steps: [
        { do: 'start', flow: 'calls', rows: ['wait', 'call'], times: 1 },
        { do: 'let all' },
        { do: 'cancel', run: 0 },
        { do: 'let', choices: new Array<number>(calls).fill(0) },
        { do: 'crash', keeps: calls % 2 === 0 ? 'all' : 'synced' },
      ],
    });
    expect(faults).toEqual([]);
  },
);
