// Opens what the calls of runs and previews go through. Who calls: open-services.
import { systemClock } from '../base/system-clock.ts';
import { Broker } from '../executor/upstream/broker.ts';
import type { Settings } from '../domain/settings.ts';
import type { SecretService } from '../services/secret-service.ts';
import type { TrustService } from '../services/trust-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { WorkflowCassette } from '../executor/ports.ts';
import type { Backend } from './backend.ts';
import type { ServiceOptions } from './service-options.ts';
import {
  createAnswerRecorder,
  createLiveUpstream,
  createUpstreams,
  createUpstreamsWithin,
  proxyWhen,
  type NetworkDeps,
} from './upstreams.ts';
import { version } from './version.ts';

const userAgent = `Rowbench/${version}`;

type CallDeps = {
  readonly backend: Pick<Backend, 'openCassette' | 'ownServers' | 'reservations'>;
  readonly secrets: SecretService;
  readonly trust: TrustService;
  readonly workflows: WorkflowService;
  readonly settings: () => Settings;
};

/** Opens the one way to the outside, and what a run's calls go through. */
export function openCalls(options: ServiceOptions, deps: CallDeps) {
  const { secrets, trust, workflows, settings } = deps;
  const { openCassette, ownServers, reservations } = deps.backend;
  const { clock, log, cassette } = options;
  const ownPorts = new Set<number>();
  const usesProxy = options.usesProxy === true || settings().proxy === 'environment';
  const broker = new Broker({
    secrets,
    ownPorts: () => ownPorts,
    ownServers,
    reservations,
    userAgent,
    clock: systemClock,
    log,
    proxyFor: proxyWhen(usesProxy),
  });
  const networks = networksOf(options, { trust, workflows });
  const { networkOf, isByFlagOnly } = networks;
  const liveUpstream = createLiveUpstream({ broker, ...networks });
  const cassetteOf = async (id: string): Promise<WorkflowCassette> =>
    cassette ?? openCassette(id, (await workflows.find(id))?.file);
  return {
    broker,
    ownPorts,
    upstreamOf: createUpstreams({ liveUpstream, cassetteOf, clock }),
    upstreamsWithin: createUpstreamsWithin({ broker, isByFlagOnly, clock }),
    previewCalls: {
      liveUpstream,
      readCassette: async (id: string) => (await cassetteOf(id)).read(),
      recordAnswers: createAnswerRecorder({ cassetteOf, clock }),
    },
    networkOf,
  };
}

/** Networks that each workflow's calls may reach: its grants, plus `allowNetwork` for workflows named at the start. */
function networksOf(
  { allowNetwork = [], relativeCalls, decisions }: ServiceOptions,
  { trust, workflows }: Pick<CallDeps, 'trust' | 'workflows'>,
): Omit<NetworkDeps, 'broker'> {
  // Workflows called from a file outside any data folder lie beside that file, and count as named with it.
  const isByFlagOnly = relativeCalls === true && decisions === undefined;
  const isNamed = (id: string): boolean => isByFlagOnly || workflows.isNamed(id);
  const networkOf = (id: string) => [...trust.networkOf(id), ...(isNamed(id) ? allowNetwork : [])];
  return { networkOf, isByFlagOnly };
}
