// The rows in which a search has found values: one entry for a row, in whichever attempts of its chain it was found. If older
// runs have the same name or file and the same values, the newest is an entry, which names the others.
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
  /** Attempts of the chain in which the row has the same hits, the newest included. */
  readonly sameAttempts: number;
  /** The row with this number and the same hits in older chains of the workflow with the same name. */
  readonly same: readonly FoundRow[];
};

/** A chain has the name and the file of its first run. */
function nameOf(runs: ReadonlyMap<string, RunView>, runId: string): string | undefined {
  const first = runs.get(runs.get(runId)?.chainId ?? runId);
  return first?.labels?.name ?? first?.source;
}

type NewestRow = FoundRow & { readonly same: FoundRow[] };

/** The hits of a row in a chain. */
type ChainHits = {
  /** In the newest attempt that has some. */
  readonly hits: [FindHit, ...FindHit[]];
  /** In the other attempts, by the id of the run. */
  readonly others: Map<string, FindHit[]>;
};

/** @param hits the newest run first @param runsOfHits with the first runs of their chains */
export function foundRows(hits: readonly FindHit[], runsOfHits: readonly RunView[]): readonly FoundRow[] {
  const runs = new Map(runsOfHits.map((run) => [run.runId, run]));
  const found = new Map<string, ChainHits>();
  for (const hit of hits) {
    const { runId, row } = hit;
    const key = `${runs.get(runId)?.chainId ?? runId} ${row}`;
    const entry = found.get(key);
    if (entry === undefined) found.set(key, { hits: [hit], others: new Map() });
    else if (entry.hits[0].runId === runId) entry.hits.push(hit);
    else entry.others.set(runId, [...(entry.others.get(runId) ?? []), hit]);
  }
  const newest = new Map<string, NewestRow>();
  for (const chain of found.values()) {
    const row = rowOf(chain, runs);
    const key = JSON.stringify([row.name, valuesOf(row.hits)]);
    const entry = newest.get(key);
    if (entry === undefined) newest.set(key, row);
    else entry.same.push(row);
  }
  return [...newest.values()];
}

function rowOf({ hits, others }: ChainHits, runs: ReadonlyMap<string, RunView>): NewestRow {
  const [{ runId, workflowId, row, label }] = hits;
  const values = valuesOf(hits);
  return {
    ...{ runId, workflowId, row, label, hits, same: [] },
    run: runs.get(runId),
    name: nameOf(runs, runId),
    otherAttempts: others.size,
    sameAttempts: 1 + [...others.values()].filter((each) => valuesOf(each) === values).length,
  };
}

/** Equal for hits that look equal to the user, but for their run. */
const valuesOf = (hits: readonly FindHit[]): string =>
  JSON.stringify(hits.map((hit) => ({ ...hit, runId: undefined })));
