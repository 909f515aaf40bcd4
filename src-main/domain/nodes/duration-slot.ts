import { z } from 'zod';
import { durationForm, durationPattern, parseDuration } from '../duration.ts';
import { refuse } from './slot-problems.ts';

type Bounds = {
  readonly minMs: number;
  readonly maxMs: number;
  /** The bounds in words: "up to 1h". */
  readonly says: string;
};

/** A fixed length of time; becomes milliseconds. */
export const durationSlot = (bounds: Bounds) =>
  z
    .string()
    .transform((text, context): number => {
      const ms = parseDuration(text);
      if (ms === undefined) return refuse(context, [{ message: `Expected ${durationForm}` }]);
      if (ms >= bounds.minMs && ms <= bounds.maxMs) return ms;
      return refuse(context, [{ message: `Expected a duration ${bounds.says}` }]);
    })
    .meta({ pattern: durationPattern.source });
