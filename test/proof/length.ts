// How much the rigs do: in their short form on each change, in the long one before a release.

export const isLong = process.env['ROWBENCH_PROOF'] === 'long';

/** One line of figures for whoever reads along. */
export const report = (figures: string): void => void process.stdout.write(`      ${figures}\n`);
