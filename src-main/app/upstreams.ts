// Creates the upstream for a run's calls from the run's mode and its workflow's grants. Modes, grants and secrets meet
// only here.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { emptyCassette } from '../domain/cassette/cassette.ts';
import { cassetteMissing } from '../domain/workflow-errors.ts';
import type { RunMode } from '../domain/run/run-mode.ts';
import type { Run } from '../domain/run/run.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Upstream, WorkflowCassette } from '../executor/ports.ts';
import { FillingUpstream } from '../executor/upstream/cassette/filling-upstream.ts';
import { proxyOf } from '../executor/upstream/environment-proxy.ts';
import { RecordingUpstream } from '../executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../executor/upstream/cassette/replaying-upstream.ts';
import { offlineUpstream } from '../executor/upstream/offline-upstream.ts';
import { scenarioUpstream } from '../executor/upstream/scenario-upstream.ts';
import type { Broker } from '../executor/upstream/broker.ts';
import type { CalledAnswer } from '../services/preview-calls.ts';
import { grantOf } from './grant-of.ts';

export type NetworkDeps = {
  readonly broker: Broker;
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
  /** True if the workflows are files that no data folder keeps. */
  readonly isByFlagOnly: boolean;
};

type UpstreamDeps = {
  readonly liveUpstream: ReturnType<typeof createLiveUpstream>;
  readonly cassetteOf: (workflowId: string) => Promise<WorkflowCassette>;
  readonly clock: Clock;
};

/** Finds the proxies that the environment names, if they are used at all. */
export const proxyWhen =
  (isUsed: boolean) =>
  (origin: URL): URL | undefined =>
    isUsed ? proxyOf(origin, process.env) : undefined;

/** Makes calls over the network, with the grants of a workflow and of those that it calls. */
export const createLiveUpstream =
  ({ broker, networkOf, isByFlagOnly }: NetworkDeps) =>
  (workflowId: string, calledIds: readonly string[]): Upstream => {
    const granted = (id: string) => ({ id, classes: () => networkOf(id), isByFlagOnly });
    return broker.upstream(grantOf(granted(workflowId), calledIds.map(granted)));
  };

export function createUpstreams({
  liveUpstream,
  cassetteOf,
  clock,
}: UpstreamDeps): (run: Run) => Promise<Upstream> {
  const upstreamOf = (run: Run): Promise<Upstream> => {
    const { workflowId } = run;
    // Its own tables are among them, too.
    const called = (run.sources ?? []).map((source) => source.workflowId);
    const live = async () => liveUpstream(workflowId, called);
    return upstreamOfMode(run, { live, cassette: () => cassetteOf(workflowId), clock });
  };
  // Outermost, so that a call that a scenario refuses is neither made nor recorded.
  return async (run) => scenarioUpstream(await upstreamOf(run), run, clock);
}

/** Upstreams of runs whose calls may reach these networks, and are recorded in this cassette. */
export const createUpstreamsWithin =
  ({ broker, isByFlagOnly, clock }: Omit<NetworkDeps, 'networkOf'> & { readonly clock: Clock }) =>
  (
    networkOf: NetworkDeps['networkOf'],
    cassette: () => WorkflowCassette,
  ): ReturnType<typeof createUpstreams> =>
    createUpstreams({
      liveUpstream: createLiveUpstream({ broker, networkOf, isByFlagOnly }),
      cassetteOf: async () => cassette(),
      clock,
    });

type ModeDeps = {
  readonly live: () => Promise<Upstream>;
  readonly cassette: () => Promise<WorkflowCassette>;
  readonly clock: Clock;
};

/** Records answers that previews have received in the workflow's cassette, and resolves to its name. */
export const createAnswerRecorder =
  ({ cassetteOf, clock }: Pick<UpstreamDeps, 'cassetteOf' | 'clock'>) =>
  async (workflowId: string, answers: readonly CalledAnswer[]): Promise<string> => {
    const file = await cassetteOf(workflowId);
    // Answers of an earlier preview are replaced, as those of an earlier run are.
    const runId = `preview-${randomUUID()}`;
    const recorder = await file.record(runId);
    try {
      for (const { request, origin, answer } of answers) {
        const live = { call: () => Promise.resolve(answer) };
        const context = { origin, idempotencyKey: '', signal: new AbortController().signal };
        await new RecordingUpstream({ live, recorder, runId, clock }).call(request, context);
      }
    } finally {
      await recorder.close();
    }
    return file.label;
  };

/** The upstream of the run's mode. `replay` and `mocks` use no network. Throws `invalid_input` for a replay whose cassette is not there or cannot be read. */
async function upstreamOfMode(
  { runId, mode = 'live' }: { readonly runId: string; readonly mode?: RunMode | undefined },
  { live, cassette, clock }: ModeDeps,
): Promise<Upstream> {
  if (mode === 'live') return live();
  if (mode === 'mocks')
    return offlineUpstream('the run is answered by mocks alone, and this node has none: give it a "mock"');
  const file = await cassette();
  const record = async (): Promise<Upstream> =>
    new RecordingUpstream({ live: await live(), recorder: await file.record(runId), runId, clock });
  if (mode === 'record') return record();
  const recorded = await file.read();
  if (mode === 'fill') return new FillingUpstream(recorded ?? emptyCassette, record);
  if (recorded === undefined)
    throw cassetteMissing(file.label, 'Record one first, with a run that calls the services themselves');
  return new ReplayingUpstream(recorded, file.label);
}
