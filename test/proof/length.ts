// How much the rigs do: in their short form on each change, in the long one before a release.
import { appendFileSync } from 'node:fs';

export const isLong = process.env['ROWBENCH_PROOF'] === 'long';

/** How long a rig may take before it is taken for stuck; at length an hour. In ms. */
export const patience = (shortMs: number): number => (isLong ? Math.max(shortMs, 3_600_000) : shortMs);

/** Where `npm run proof:long` gathers the lines. */
const gathered = process.env['ROWBENCH_PROOF_FIGURES'];

/** One line of figures for whoever reads along. */
export function report(figures: string): void {
  process.stdout.write(`      ${figures}\n`);
  if (gathered !== undefined) appendFileSync(gathered, `${figures}\n`);
}
