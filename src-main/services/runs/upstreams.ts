// Creates the upstream for a run's calls from the run's mode and its workflow's grants. Modes, grants and secrets meet
// only here.
import type { Clock } from '../../base/clock.ts';
import { emptyCassette } from '../../domain/cassette/cassette.ts';
import { cassetteMissing } from '../../domain/workflow-errors.ts';
import type { RunMode } from '../../domain/run/run-mode.ts';
import type { Run } from '../../domain/run/run.ts';
import type { AddressClass } from '../../domain/upstream/address-class.ts';
import type { SharedAnswers, Upstream, WorkflowCassette } from '../../executor/ports.ts';
import { proxyOf } from '../../executor/upstream/environment-proxy.ts';
import { RecordingUpstream } from '../../executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream, FillingUpstream } from '../../executor/upstream/cassette/replaying-upstream.ts';
import { offlineUpstream } from '../../executor/upstream/offline-upstream.ts';
import { scenarioUpstream } from '../../executor/upstream/scenario-upstream.ts';
import { rowWorkers, shareEqualCalls } from '../../executor/upstream/share-equal-calls.ts';
import { storeEqualCalls } from '../../executor/upstream/store-equal-calls.ts';
import type { Broker } from '../../executor/upstream/broker.ts';
import type { NetworkGrant } from '../../executor/upstream/describe-refusal.ts';

export type NetworkDeps = {
  readonly broker: Broker;
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
  /** True if the workflows are files that no data folder keeps. */
  readonly isByFlagOnly: boolean;
};

type UpstreamDeps = {
  readonly liveUpstream: ReturnType<typeof createLiveUpstream>;
  readonly cassetteOf: (workflowId: string) => Promise<WorkflowCassette>;
  /** Absent: answers to shared calls stay in memory. */
  readonly sharedAnswersOf?: ((runId: string) => SharedAnswers) | undefined;
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
  sharedAnswersOf,
  clock,
}: UpstreamDeps): (run: Run) => Promise<Upstream> {
  const upstreamOf = (run: Run, answers: SharedAnswers | undefined): Promise<Upstream> => {
    const { workflowId } = run;
    // Its own tables are among them, too.
    const called = (run.sources ?? []).map((source) => source.workflowId);
    const live = async () => {
      const calling = liveUpstream(workflowId, called);
      return answers === undefined ? calling : storeEqualCalls(calling, answers, clock);
    };
    return upstreamOfMode(run, { live, cassette: () => cassetteOf(workflowId), clock });
  };
  return async (run) => {
    const { mode = 'live' } = run;
    const answers = mode === 'replay' || mode === 'mocks' ? undefined : sharedAnswersOf?.(run.runId);
    // A recording needs the calls of a workflow whose output is not stored with them.
    const workflows = answers && mode === 'live' && storeEqualCalls(rowWorkers, answers, clock);
    const options = { clock, isStored: answers !== undefined, ...(workflows ? { workflows } : {}) };
    return upstreamOfRows(await upstreamOf(run, answers), run, options);
  };
}

/** Upstreams of runs whose calls may reach these networks, and are recorded in this cassette. */
export const createUpstreamsWithin =
  ({ broker, isByFlagOnly, clock }: Omit<NetworkDeps, 'networkOf'> & { readonly clock: Clock }) =>
  (
    networkOf: NetworkDeps['networkOf'],
    cassette: () => WorkflowCassette,
    sharedAnswers: () => SharedAnswers,
  ): ReturnType<typeof createUpstreams> =>
    createUpstreams({
      liveUpstream: createLiveUpstream({ broker, networkOf, isByFlagOnly }),
      cassetteOf: async () => cassette(),
      sharedAnswersOf: sharedAnswers,
      clock,
    });

/**
 * The upstream as rows see it. Scenarios are outermost: a call that they refuse is neither made, shared nor recorded.
 * @param inner answers calls in the run's mode
 * @param options.isStored true if `inner` stores the answers to shared calls
 * @param options.workflows has shared workflows run, and stores their outputs; absent: they are in memory only
 */
export const upstreamOfRows = (
  inner: Upstream,
  run: Pick<Run, 'runId' | 'scenario' | 'seed' | 'clock'>,
  options: Omit<Parameters<typeof shareEqualCalls>[1], 'runId'>,
): Upstream => scenarioUpstream(shareEqualCalls(inner, { ...options, runId: run.runId }), run, options.clock);

type ModeDeps = {
  readonly live: () => Promise<Upstream>;
  readonly cassette: () => Promise<WorkflowCassette>;
  readonly clock: Clock;
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
  if (mode === 'fill') return new FillingUpstream(recorded ?? emptyCassette, runId, record);
  if (recorded === undefined)
    throw cassetteMissing(file.label, 'Record one first, with a run that calls the services themselves');
  return new ReplayingUpstream(recorded, file.label);
}

type Granted = {
  readonly id: string;
  /** Asked at each call, so that a change reaches runs under way. */
  readonly classes: () => readonly AddressClass[];
  /** True if no data folder keeps the workflow, so that no grant can be stored for it. */
  readonly isByFlagOnly?: boolean;
};

/**
 * The network classes granted to every workflow of a run. Called workflows run in the caller's worker, and the broker
 * does not believe that worker which of them makes a call.
 * @param called workflows that the run's workflow calls, directly or not
 */
export function grantOf(
  { id, classes, isByFlagOnly = false }: Granted,
  called: readonly Granted[],
): NetworkGrant {
  const lacking = (name: AddressClass) => called.find((other) => !other.classes().includes(name))?.id;
  return {
    workflowId: id,
    isByFlagOnly,
    get classes() {
      return classes().filter((name) => lacking(name) === undefined);
    },
    lackedBelow: (name) => (classes().includes(name) ? lacking(name) : undefined),
  };
}
