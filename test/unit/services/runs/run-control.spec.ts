// Run control against a model: stories of verbs, row events, crashes and restarts in random order over the real
// services, with a disk in memory and workers without processes. ROWBENCH_SEQUENCES is the number of sequences.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stories, playStory } from '../../../builders/run-control/story.ts';

const sequences = Number(process.env.ROWBENCH_SEQUENCES ?? 100);
const seed = Number(process.env.ROWBENCH_SEED ?? 20261);

it(
  `keeps its promises in ${sequences} stories (seed ${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        expect(await playStory(story)).toEqual([]);
      }),
      { seed, numRuns: sequences, endOnFailure: false },
    );
  },
  20 * 60_000,
);
