import { z } from 'zod';

/** The key `share` of nodes that call something. */
export const shareSlot = z
  .literal('run')
  .describe(
    '`run`: equal calls of such nodes are made once in a run, and all rows get the same answer. [More about it](upstream-calls.md#equal-calls-once-per-run).',
  );
