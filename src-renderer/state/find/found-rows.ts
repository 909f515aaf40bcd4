// The rows in which a search has found values: one entry for a row, in whichever attempts of its chain it was found.
import type { FindHit, RunView } from '#contract';

export type FoundRow = {
  /** Id of the newest attempt with a hit. */
  readonly runId: string;
  readonly workflowId: string;
  readonly row: number;
  /** Undefined: the run was removed meanwhile. */
  readonly run: RunView | undefined;
  /** In that attempt. */
  readonly hits: readonly FindHit[];
  /** Other attempts of the chain in which the row has hits. */
  readonly otherAttempts: number;
};

/** @param hits the newest run first */
export function foundRows(hits: readonly FindHit[], runsOfHits: readonly RunView[]): readonly FoundRow[] {
  const runs = new Map(runsOfHits.map((run) => [run.runId, run]));
  const found = new Map<string, { readonly hits: FindHit[]; readonly others: Set<string> }>();
  for (const hit of hits) {
    const { runId, row } = hit;
    const key = `${runs.get(runId)?.chainId ?? runId} ${row}`;
    const entry = found.get(key);
    if (entry === undefined) found.set(key, { hits: [hit], others: new Set() });
    else if (entry.hits[0]?.runId === runId) entry.hits.push(hit);
    else entry.others.add(runId);
  }
  return [...found.values()].flatMap(({ hits: [first, ...more], others }) =>
    first === undefined
      ? []
      : [
          {
            runId: first.runId,
            workflowId: first.workflowId,
            row: first.row,
            run: runs.get(first.runId),
            hits: [first, ...more],
            otherAttempts: others.size,
          },
        ],
  );
}
