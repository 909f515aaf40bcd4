// Runs, and what their calls go through.
import { Mutex } from '../../base/mutex.ts';
import { systemClock } from '../../base/system-clock.ts';
import { version } from '../../base/version.ts';
import { hostedNotForTeams } from '../../domain/hosted-errors.ts';
import type { AddressClass } from '../../domain/upstream/address-class.ts';
import type { WorkflowCassette } from '../../executor/ports.ts';
import { Broker } from '../../executor/upstream/broker.ts';
import type { AccessRoom } from '../access/open.ts';
import type { Platform } from '../platform.ts';
import type { UnfinishedRunListeners } from '../ports.ts';
import type { WorkflowsRoom } from '../workflows/open.ts';
import { HostedGateway } from './hosted/gateway.ts';
import { HostedClient, hostedBounds } from './hosted/hosted-client.ts';
import { HostedConnections } from './hosted/connections.ts';
import type { HostedDeps } from './hosted/hosted-ledger.ts';
import { HostedRuns, routedRuns } from './hosted/hosted-runs.ts';
import { HostedPacer } from './hosted/pacer.ts';
import { PlanCache } from './plan-cache.ts';
import { RunService } from './run-service.ts';
import { createLiveUpstream, createUpstreams, createUpstreamsWithin, proxyWhen } from './upstreams.ts';

export type RunsRoom = ReturnType<typeof openRuns>;

type RoomsBelow = { readonly access: AccessRoom; readonly workflows: WorkflowsRoom };

export function openRuns(platform: Platform, below: RoomsBelow) {
  const { options, clock, log, settings, processes, backend } = platform;
  const { runs: store, snapshots } = backend.stores;
  const { health, retention: retentionDocument, wasCrashed } = backend.folder;
  const { asOnlyServer } = backend;
  const { pool, parser } = processes;
  const { maxTraceBytes } = options;
  const { workflows, trust, sources } = below.workflows;
  const calls = openCalls(platform, below);
  const plans = new PlanCache(snapshots);
  const hosted = openHosted(platform, calls);
  const shared = { store, plans, health, workflows, settings, clock, log };
  const runs = new RunService({
    ...shared,
    snapshots,
    trust,
    sources,
    parser,
    retentionDocument,
    asOnlyServer,
    openUnfinished: (listeners) => {
      const local = backend.openUnfinished(
        { ...shared, ...calls, pool, wasCrashed, maxTraceBytes },
        listeners,
      );
      return hosted.isTeam ? local : routedRuns(local, hosted.openRuns(store, listeners));
    },
    hosted: hosted.isTeam
      ? undefined
      : {
          assertConnection: (name) => void hosted.connections.get(name),
          assertNoneOf: (chainId) => hosted.runs.assertNoneOf(chainId),
        },
  });
  below.access.settingsService.events.listen(() => runs.applySettings());
  const gateway = options.gateway === undefined ? undefined : openGateway(options.gateway);
  return { runs, plans, hosted, gateway, ...calls };

  /** Throws `invalid_input` for an unknown connection, and on a team server. */
  function openGateway(name: string): HostedGateway {
    const connection = hosted.connections.get(name).name;
    return new HostedGateway({ connection, runs, hosted: hosted.runs, store, clock });
  }
}

/** Opens connections to hosted services, and the one way to them. */
function openHosted(
  { options, clock, log, backend }: Platform,
  { ownPorts, proxyFor }: Pick<ReturnType<typeof openCalls>, 'ownPorts' | 'proxyFor'>,
) {
  const { hosted: document, secrets } = backend.folder;
  const isTeam = backend.publish !== undefined || options.access !== undefined;
  const connections = new HostedConnections({ document, vault: secrets.vault, isTeam, clock });
  const broker = new Broker({
    secrets: { find: (name) => connections.secretOf(name) },
    ownPorts: () => ownPorts,
    userAgent: `Rowbench/${version}`,
    clock: systemClock,
    log,
    proxyFor,
    bounds: hostedBounds,
  });
  const client = new HostedClient({ broker, clock });
  const pacer = new HostedPacer(clock);
  const isActive = options.executes !== false || options.sendsHosted === true;
  let runs: HostedRuns | undefined;
  return {
    broker,
    connections,
    client,
    pacer,
    isTeam,
    /** Throws `invalid_input` on a team server. */
    get runs(): HostedRuns {
      if (runs === undefined) throw hostedNotForTeams();
      return runs;
    },
    openRuns: (store: HostedDeps['store'], listeners: UnfinishedRunListeners): HostedRuns => {
      const bodies = new Mutex();
      runs = new HostedRuns({ store, client, pacer, connections, bodies, clock, log, isActive }, listeners);
      return runs;
    },
  };
}

/** Opens the one way to the outside, and what the calls of runs and previews go through. */
function openCalls(platform: Platform, { access, workflows }: RoomsBelow) {
  const { options, clock, log, settings, backend } = platform;
  const { networkOf, isByFlagOnly } = networksOf(platform, workflows);
  /** Ports that this process listens on: no workflow ever calls them. */
  const ownPorts = new Set<number>();
  const proxyFor = proxyWhen(options.usesProxy === true || settings().proxy === 'environment');
  const broker = new Broker({
    secrets: access.secrets,
    ownPorts: () => ownPorts,
    ownServers: backend.ownServers,
    reservations: backend.reservations,
    userAgent: `Rowbench/${version}`,
    clock: systemClock,
    log,
    proxyFor,
  });
  const liveUpstream = createLiveUpstream({ broker, networkOf, isByFlagOnly });
  const cassetteOf = async (id: string): Promise<WorkflowCassette> =>
    options.cassette ?? backend.openCassette(id, (await workflows.workflows.find(id))?.file);
  return {
    broker,
    ownPorts,
    proxyFor,
    networkOf,
    liveUpstream,
    cassetteOf,
    upstreamOf: createUpstreams({
      liveUpstream,
      cassetteOf,
      sharedAnswersOf: backend.sharedAnswersOf,
      clock,
    }),
    upstreamsWithin: createUpstreamsWithin({ broker, isByFlagOnly, clock }),
  };
}

/** Networks that each workflow's calls may reach: its grants, plus `allowNetwork` for workflows named at the start. */
function networksOf({ options }: Platform, { workflows, trust }: WorkflowsRoom) {
  const { allowNetwork = [], relativeCalls, decisions } = options;
  // Workflows called from a file outside any data folder lie beside that file, and count as named with it.
  const isByFlagOnly = relativeCalls === true && decisions === undefined;
  const isNamed = (id: string): boolean => isByFlagOnly || workflows.isNamed(id);
  const networkOf = (id: string): readonly AddressClass[] => [
    ...trust.networkOf(id),
    ...(isNamed(id) ? allowNetwork : []),
  ];
  return { networkOf, isByFlagOnly };
}
