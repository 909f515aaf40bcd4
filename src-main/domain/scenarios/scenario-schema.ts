// Schema of a scenario in a run's record. Apart from `scenario.ts`, because the app's pages load no schemas.
import { z } from 'zod';
import { longestWaitMs } from '../duration.ts';
import type { Scenario } from './scenario.ts';

/** After so many rows, or that part of them. */
const rowPositionSchema = z.union([
  z.strictObject({ row: z.number().int().min(1) }),
  z.strictObject({ percent: z.number().int().min(0).max(99) }),
]);

/** In ms. */
const wait = z.number().int().min(1).max(longestWaitMs).exactOptional();
/** Share of all calls, above 0 and at most 1. */
const share = z.number().gt(0).lte(1).exactOptional();

export const scenarioSchema = z.strictObject({
  'queued-for': wait,
  'fail-row': z.number().int().min(1).exactOptional(),
  'pause-at': rowPositionSchema.exactOptional(),
  'cancel-at': rowPositionSchema.exactOptional(),
  slow: wait,
  'api-429': share,
  'api-5xx': share,
  'upstream-429': share,
  'upstream-5xx': share,
  'upstream-no-answer': share,
  'upstream-slow': wait,
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .exactOptional(),
}) satisfies z.ZodType<Scenario>;
