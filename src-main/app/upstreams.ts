// What a run's calls to the outside go through, by the run's mode and what its workflow was granted. The one place
// where modes, grants and secrets meet.
import type { Clock } from '../base/clock.ts';
import type { Run } from '../domain/run/run.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Upstream } from '../executor/ports.ts';
import { scenarioUpstream } from '../executor/scenario/scenario-upstream.ts';
import type { Broker, NetworkGrant } from '../executor/upstream/broker.ts';
import type { CassetteFile } from '../storage/cassettes/cassette-file.ts';
import { upstreamOfMode } from './upstream-of-mode.ts';

type UpstreamParts = {
  readonly broker: Broker;
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
  readonly cassetteOf: (workflowId: string) => CassetteFile;
  readonly clock: Clock;
};

export function createUpstreams({
  broker,
  networkOf,
  cassetteOf,
  clock,
}: UpstreamParts): (run: Run) => Promise<Upstream> {
  const upstreamOf = (run: Run): Promise<Upstream> => {
    const { workflowId } = run;
    const live = async () => broker.upstream(grantOf(run, networkOf));
    return upstreamOfMode(run, { live, cassette: () => cassetteOf(workflowId), clock });
  };
  // Outermost, so that a call that a scenario refuses is neither made nor recorded.
  return async (run) => scenarioUpstream(await upstreamOf(run), run, clock);
}

/**
 * What every workflow of the run was granted: those that it calls run in the same worker, whose word about which of
 * them asks is not taken.
 */
function grantOf({ workflowId, sources = [] }: Run, networkOf: UpstreamParts['networkOf']): NetworkGrant {
  const ids = new Set([workflowId, ...sources.map((source) => source.workflowId)]);
  const workflows = [...ids].map((id) => ({ id, classes: networkOf(id) }));
  return {
    classes: networkOf(workflowId).filter((name) => workflows.every(({ classes }) => classes.includes(name))),
    lacks: (name) => workflows.find(({ classes }) => !classes.includes(name))?.id ?? workflowId,
  };
}
