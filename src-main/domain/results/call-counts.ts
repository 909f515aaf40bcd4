/** Calls of a node that were answered, in all attempts. */
export type CallCounts = {
  /** By the services called. */
  readonly answered: number;
  /** By a cassette. */
  readonly played: number;
  /** By the answer to an equal call of another row or item; absent: none. */
  readonly shared?: number;
};

export const noCalls: CallCounts = { answered: 0, played: 0 };

export const addCalls = (one: CallCounts, other: CallCounts): CallCounts => ({
  answered: one.answered + other.answered,
  played: one.played + other.played,
  ...sharedOf((one.shared ?? 0) + (other.shared ?? 0)),
});

const sharedOf = (shared: number): Pick<CallCounts, 'shared'> => (shared === 0 ? {} : { shared });

type CountedNode = { readonly isShared?: true; readonly calls?: CallCounts };

/** Remark about nodes whose calls were to be shared, and of which none was; undefined without such nodes and calls. */
export function sharedNothingText(nodes: readonly CountedNode[]): string | undefined {
  const sharing = nodes.filter(({ isShared }) => isShared);
  const {
    answered,
    played,
    shared = 0,
  } = sharing.reduce((sum, { calls = noCalls }) => addCalls(sum, calls), noCalls);
  return shared > 0 || answered + played < 2
    ? undefined
    : 'No two calls were equal: "share" only took memory for their answers';
}
