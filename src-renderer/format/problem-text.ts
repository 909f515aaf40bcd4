/** The error's message, for the user. */
export const problemText = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);
