// Counts of the chains of listed runs. Who calls: the commands that show runs.
import { maxCountedChains, type Call, type ChainCounts, type RunView } from '../contract/index.ts';
import { chainIdOf } from '../domain/run/chain.ts';
import { chainCountsText } from '../domain/run/chain-counts-text.ts';

/** The counts by the ids of chains; those of damaged chains are missing. */
export async function chainCountsOf(
  call: Call,
  runs: readonly RunView[],
): Promise<ReadonlyMap<string, ChainCounts>> {
  const chainIds = [...new Set(runs.map(chainIdOf))];
  const counts = new Map<string, ChainCounts>();
  for (let from = 0; from < chainIds.length; from += maxCountedChains) {
    const some = chainIds.slice(from, from + maxCountedChains);
    for (const each of await call('chain.counts', { chainIds: some })) counts.set(each.chainId, each);
  }
  return counts;
}

/** Undefined if the chain has no more rows than the run. */
export const chainText = (run: RunView, chain: ChainCounts | undefined): string | undefined =>
  chain === undefined || (chain.attempts === 1 && run.sample === undefined)
    ? undefined
    : chainCountsText(chain);
