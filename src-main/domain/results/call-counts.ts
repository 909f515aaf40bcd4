/** Calls of a node that were answered, in all attempts. */
export type CallCounts = {
  /** By the services called. */
  readonly answered: number;
  /** By a cassette. */
  readonly played: number;
};

export const noCalls: CallCounts = { answered: 0, played: 0 };

export const addCalls = (one: CallCounts, other: CallCounts): CallCounts => ({
  answered: one.answered + other.answered,
  played: one.played + other.played,
});
