// The amount of work of the rigs: the short form on each change, the long form before a release.
import { appendFileSync } from 'node:fs';

export const isLong = process.env['ROWBENCH_PROOF'] === 'long';

/** Timeout of a rig, in ms; an hour in the long form. */
export const timeoutMs = (shortMs: number): number => (isLong ? Math.max(shortMs, 3_600_000) : shortMs);

/** File in which `npm run proof:long` collects the lines. */
const gathered = process.env['ROWBENCH_PROOF_FIGURES'];

/** Prints one line of figures, and appends it to the file of `npm run proof:long`. */
export function report(figures: string): void {
  process.stdout.write(`      ${figures}\n`);
  if (gathered !== undefined) appendFileSync(gathered, `${figures}\n`);
}
