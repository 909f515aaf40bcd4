import type { RunSeed } from './plan.ts';

/** Midnight of 1 January 2026 (UTC): what `new Date()` gives in the rows of tests and previews. */
export const fixedSeed: RunSeed = { random: 1, time: Date.UTC(2026, 0, 1) };
