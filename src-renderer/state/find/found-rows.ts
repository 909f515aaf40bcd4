// The rows in which a search has found values: one entry for a row, in whichever attempts of its chain it was found. Runs that
// repeat the same file have the same rows: of these, the newest is an entry, which names the others.
import type { FindHit, RunView } from '#contract';

export type FoundRow = {
  /** Id of the newest attempt with a hit. */
  readonly runId: string;
  readonly workflowId: string;
  readonly row: number;
  /** Undefined: the run was removed meanwhile. */
  readonly run: RunView | undefined;
  /** Name of its chain, or of the file that the rows came from. */
  readonly name: string | undefined;
  /** First text of the row's input. */
  readonly label: string | undefined;
  /** In that attempt. */
  readonly hits: readonly FindHit[];
  /** Other attempts of the chain in which the row has hits. */
  readonly otherAttempts: number;
  /** The same row of older runs of the workflow, with the same hits. */
  readonly same: readonly FoundRow[];
};

/** A chain has the name and the file of its first run. */
function nameOf(runs: ReadonlyMap<string, RunView>, runId: string): string | undefined {
  const first = runs.get(runs.get(runId)?.chainId ?? runId);
  return first?.labels?.name ?? first?.source;
}

/** @param hits the newest run first @param runsOfHits with the first runs of their chains */
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
  const rows = [...found.values()].flatMap(({ hits: [first, ...more], others }) =>
    first === undefined
      ? []
      : [
          {
            runId: first.runId,
            workflowId: first.workflowId,
            row: first.row,
            run: runs.get(first.runId),
            name: nameOf(runs, first.runId),
            label: first.label,
            hits: [first, ...more],
            otherAttempts: others.size,
            same: [],
          },
        ],
  );
  const newest = new Map<string, FoundRow & { readonly same: FoundRow[] }>();
  for (const row of rows) {
    const key = sameKey(row);
    const entry = newest.get(key);
    if (entry === undefined) newest.set(key, { ...row, same: [] });
    else entry.same.push(row);
  }
  return [...newest.values()];
}

/** Equal for rows that look equal to the user, but for their run. */
const sameKey = ({ workflowId, name, row, label, hits }: FoundRow): string =>
  JSON.stringify([workflowId, name, row, label, hits.map((hit) => ({ ...hit, runId: undefined }))]);
