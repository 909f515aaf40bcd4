// Procedures on chains of runs.
import type { Handlers } from '../../../contract/index.ts';
import { chainCounts, chainView } from '../../../presenters/chain-views.ts';
import type { Services } from '../../../services/services.ts';

export const createChainHandlers = ({ runs: { runs }, results: { chains } }: Services) =>
  ({
    'chain.show': async ({ runId }) => chainView(await chains.show(await runs.resolve(runId))),
    'chain.counts': async ({ chainIds }) => (await chains.list(chainIds)).map(chainCounts),
  }) satisfies Partial<Handlers>;
