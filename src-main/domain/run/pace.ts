// How many rows a run finished when, as counts of equal stretches of time: the longer the run, the longer each.
import { z } from 'zod';

const whole = z.number().int().nonnegative();

export const paceSchema = z.object({
  /** Wall clock at the beginning of the first stretch, in ms. */
  startMs: whole,
  everyMs: z.number().int().positive(),
  /** One count a stretch, up to the last one with rows. */
  rows: z.array(whole).max(240),
});
export type Pace = z.infer<typeof paceSchema>;

/** Of a run of a few seconds; it doubles whenever there would be more stretches than a picture has lines. */
const shortestMs = 100;
const mostStretches = 240;

export const paceFrom = (startMs: number): Pace => ({ startMs, everyMs: shortestMs, rows: [] });

/** The pace after so many more rows have finished at that time; a clock that was put back changes no earlier stretch. */
export function addToPace(pace: Pace, atMs: number, rows: number): Pace {
  let { everyMs } = pace;
  let counts = [...pace.rows];
  const sinceMs = Math.max(0, atMs - pace.startMs);
  while (Math.floor(sinceMs / everyMs) >= mostStretches) {
    everyMs *= 2;
    counts = Array.from(
      { length: Math.ceil(counts.length / 2) },
      (_, at) => (counts[2 * at] ?? 0) + (counts[2 * at + 1] ?? 0),
    );
  }
  const at = Math.max(Math.floor(sinceMs / everyMs), counts.length - 1);
  while (counts.length <= at) counts.push(0);
  counts[at] = (counts[at] ?? 0) + rows;
  return { startMs: pace.startMs, everyMs, rows: counts };
}
