/** What went wrong, as a person reads it. */
export const problemText = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);
