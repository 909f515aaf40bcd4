// Creates the upstream for a run's calls from the run's mode and its workflow's grants. Modes, grants and secrets meet
// only here.
import type { Clock } from '../base/clock.ts';
import type { Run } from '../domain/run/run.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Upstream } from '../executor/ports.ts';
import { scenarioUpstream } from '../executor/upstream/scenario-upstream.ts';
import type { Broker } from '../executor/upstream/broker.ts';
import type { CassetteFile } from '../storage/cassettes/cassette-file.ts';
import { grantOf } from './grant-of.ts';
import { upstreamOfMode } from './upstream-of-mode.ts';

export type UpstreamDeps = {
  readonly broker: Broker;
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
  /** True if the workflows are files that no data folder keeps. */
  readonly isByFlagOnly: boolean;
  readonly cassetteOf: (workflowId: string) => CassetteFile;
  readonly clock: Clock;
};

export function createUpstreams({
  broker,
  networkOf,
  isByFlagOnly,
  cassetteOf,
  clock,
}: UpstreamDeps): (run: Run) => Promise<Upstream> {
  const upstreamOf = (run: Run): Promise<Upstream> => {
    const { workflowId } = run;
    const granted = (id: string) => ({ id, classes: networkOf(id), isByFlagOnly });
    // Its own tables are among them, too.
    const called = (run.sources ?? []).map((source) => granted(source.workflowId));
    const live = async () => broker.upstream(grantOf(granted(workflowId), called));
    return upstreamOfMode(run, { live, cassette: () => cassetteOf(workflowId), clock });
  };
  // Outermost, so that a call that a scenario refuses is neither made nor recorded.
  return async (run) => scenarioUpstream(await upstreamOf(run), run, clock);
}
