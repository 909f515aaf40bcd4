// A scenario: faults, waits and moves that a run goes through on purpose, to test a client. It is an input of the run,
// stored in the run's record. Each part is optional. As text: `queued-for=10s,pause-at=50%` (parse-scenario.ts).
import { z } from 'zod';
import { longestWaitMs } from '../duration.ts';

/** After so many rows, or that part of them. */
const rowPositionSchema = z.union([
  z.strictObject({ row: z.number().int().min(1) }),
  z.strictObject({ percent: z.number().int().min(0).max(99) }),
]);
export type RowPosition = z.infer<typeof rowPositionSchema>;

/** In ms. */
const wait = z.number().int().min(1).max(longestWaitMs).exactOptional();
/** Share of all calls, above 0 and at most 1. */
const share = z.number().gt(0).lte(1).exactOptional();

export const scenarioSchema = z.strictObject({
  /** Stays queued for that long from its acceptance on. */
  'queued-for': wait,
  /** This row fails in its first node. */
  'fail-row': z.number().int().min(1).exactOptional(),
  /** Is paused when so many rows are committed, and stays so until it is resumed. */
  'pause-at': rowPositionSchema.exactOptional(),
  /** Is cancelled when so many rows are committed. */
  'cancel-at': rowPositionSchema.exactOptional(),
  /** Each row waits that long first. */
  slow: wait,
  /** Calls about the run's status and output that are answered 429. */
  'api-429': share,
  /** Those that are answered 500. */
  'api-5xx': share,
  /** The run's own calls to the outside that get 429, without being made. */
  'upstream-429': share,
  /** Those that get 500. */
  'upstream-5xx': share,
  /** The run's own calls take that much longer. */
  'upstream-slow': wait,
  /** Seed of the random faults; absent: the run's own seed. */
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .exactOptional(),
});
export type Scenario = Readonly<z.infer<typeof scenarioSchema>>;
export type ScenarioKey = keyof Scenario;

/** In the order of the canonical text. */
export const scenarioKeys = Object.keys(scenarioSchema.shape) as readonly ScenarioKey[];

/** How many committed rows the place is at; undefined where the run has ended by then. */
export function rowsAt(position: RowPosition, rows: number): number | undefined {
  const at = 'row' in position ? position.row : Math.floor((rows * position.percent) / 100);
  return at < rows ? at : undefined;
}
