// The chains of runs that earlier versions stored. Who calls: migrations of both stores.
import { joinsChain, rowsOfChain } from './chain.ts';
import { rerunKind } from './rerun-kind.ts';
import type { Run } from './run.ts';

/** A stored run: the fields of its record, and whether its rows are stored with numbers. */
export type UnchainedRun = Pick<
  Run,
  'runId' | 'rerunOf' | 'rerunKind' | 'isRest' | 'rows' | 'sample' | 'mode' | 'mocks' | 'scenario'
> & { readonly hasNumbers: boolean };

/** The fields of a record alone: migrations hold them of all runs. */
export const unchainedRun = (
  { runId, rerunOf, rerunKind: kind, isRest, rows, sample, mode, mocks, scenario }: Run,
  hasNumbers: boolean,
): UnchainedRun => ({
  runId,
  ...(rerunOf === undefined ? {} : { rerunOf }),
  ...(kind === undefined ? {} : { rerunKind: kind }),
  ...(isRest === undefined ? {} : { isRest }),
  rows,
  ...(sample === undefined ? {} : { sample }),
  ...(mode === undefined ? {} : { mode }),
  ...(mocks === undefined ? {} : { mocks }),
  ...(scenario === undefined ? {} : { scenario }),
  hasNumbers,
});

/** The id of the chain of each run that is not the first of its chain, by the run's id. */
export function storedChains(runs: readonly UnchainedRun[]): ReadonlyMap<string, string> {
  const byId = new Map(runs.map((run) => [run.runId, run]));
  const chains = new Map<string, string>();
  const chainOf = (run: UnchainedRun): string => {
    const known = chains.get(run.runId);
    if (known !== undefined) return known;
    const original = run.rerunOf === undefined ? undefined : byId.get(run.rerunOf);
    const chainId =
      original !== undefined && original !== run && joins(run, original, chainOf(original))
        ? chainOf(original)
        : run.runId;
    chains.set(run.runId, chainId);
    return chainId;
  };
  const joins = (run: UnchainedRun, original: UnchainedRun, chainId: string): boolean =>
    joinsChain(
      { kind: kindOf(run, original), part: run.isRest === true ? 'rest' : undefined, rows: run.rows },
      {
        isFirst: chainId === original.runId,
        rows: original.rows,
        hasOutput: true,
        chainRows: rowsOfChain(byId.get(chainId) ?? original),
      },
    );
  for (const run of runs) chainOf(run);
  return new Map([...chains].filter(([runId, chainId]) => runId !== chainId));
}

/** Records of the first versions do not say it; numbers are stored unless all rows were repeated. */
const kindOf = (run: UnchainedRun, original: UnchainedRun) =>
  run.rerunKind ?? rerunKind(original, run, { keepsNumbers: run.hasNumbers });
