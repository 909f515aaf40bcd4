// What a run's calls to the outside go through, by the run's mode and what its workflow was granted. The one place
// where modes, grants and secrets meet.
import type { Run } from '../domain/run/run.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import { offlineUpstream } from '../executor/offline-upstream.ts';
import type { Upstream } from '../executor/ports.ts';
import type { Broker } from '../executor/upstream/broker.ts';

type UpstreamParts = {
  readonly broker: Broker;
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
  /** Granted to every workflow, for as long as this process runs. */
  readonly allowNetwork?: readonly AddressClass[];
};

export function createUpstreams({
  broker,
  networkOf,
  allowNetwork = [],
}: UpstreamParts): (run: Run) => Promise<Upstream> {
  return async ({ workflowId, mode = 'live' }) => {
    if (mode !== 'live') return offlineUpstream(`the run is in mode ${mode}`);
    return broker.upstream({ workflowId, classes: [...networkOf(workflowId), ...allowNetwork] });
  };
}
