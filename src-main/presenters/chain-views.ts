import type { ChainCounts, ChainView } from '../contract/index.ts';
import { snapshotsOf } from '../domain/run/stored-run.ts';
import type { Run } from '../domain/run/run.ts';
import type { Chain } from '../services/results/chain-service.ts';
import { runView } from './run-view.ts';

/** The rows of a chain by their results. */
export function chainCounts({
  chainId,
  rows: { rows, done, failed, unknown = 0 },
  attempts,
}: Chain): ChainCounts {
  const { labels, readAs } = attempts[0]?.run ?? {};
  return {
    chainId,
    rows,
    done,
    failed,
    notRun: rows - done - failed - unknown,
    ...(unknown === 0 ? {} : { unknown }),
    open: rows - done - unknown,
    attempts: attempts.length,
    ...(readAs === undefined ? {} : { source: readAs.file }),
    ...(labels === undefined ? {} : { labels }),
  };
}

/** A chain with its attempts. */
export const chainView = (chain: Chain): ChainView => ({
  counts: chainCounts(chain),
  attempts: chain.attempts.map((record, index) => {
    const before = chain.attempts[index - 1]?.run;
    const isChanged = before !== undefined && textsOf(before) !== textsOf(record.run);
    const { newOutputs = 0, fixed = 0, failedAgain = 0 } = chain.rows.gains[index] ?? {};
    return {
      ...runView(record),
      ...(isChanged ? { isWorkflowChanged: true as const } : {}),
      ...(newOutputs > 0 ? { newOutputs } : {}),
      ...(fixed > 0 ? { fixed } : {}),
      ...(failedAgain > 0 ? { failedAgain } : {}),
    };
  }),
});

const textsOf = (run: Run): string => snapshotsOf(run).join(' ');
