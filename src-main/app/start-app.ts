// The whole product, wired once: settings, stores, services, server. Who calls: `rowbench serve`, the desktop shell,
// and every test that speaks HTTP.
import { join, resolve } from 'node:path';
import { isoTime, type Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { sleep } from '../base/sleep.ts';
import { systemClock } from '../base/system-clock.ts';
import type { Handlers } from '../contract/index.ts';
import { firstKeyName, sampleId } from '../domain/first-start.ts';
import { defaultPort } from '../domain/setting-effects.ts';
import type { ControlHost } from '../http/control-api/control-host.ts';
import { controlPrefix, createControlApi } from '../http/control-api/create-control-api.ts';
import { continuesEditing } from '../http/control-api/authoring/author.ts';
import { createControlHandlers, createControlRoutes } from '../http/control-api/create-control-handlers.ts';
import { controlTokenHeader, createControlToken } from '../http/control-api/control-token.ts';
import { EntryCodes } from '../http/control-api/entry-codes.ts';
import { registerRequests } from '../http/count-requests.ts';
import { createPages } from '../http/pages.ts';
import { createPublicApi } from '../http/public-api/create-public-api.ts';
import { rehearseCall } from '../http/public-api/rehearse-call.ts';
import { replayCall } from '../http/replay-call.ts';
import { readPageFiles } from '../files/page-files.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { ownWorkflowFolder } from '../storage/data-location.ts';
import type { ReadyCheck } from '../services/ports.ts';
import { WorkflowWatch } from '../services/workflows/workflow-watch.ts';
import { WorkflowFiles } from '../storage/documents/workflow-files.ts';
import type { RunningMetrics } from './metrics/open-metrics.ts';
import { openHttpServers, type HttpServers, type PublicListen } from './open-http-servers.ts';
import { openLiveFeed, type AppFeed } from './open-live-feed.ts';
import { openServices, type OpenedServices } from './open-services.ts';
import type { ServiceOptions } from '../services/platform.ts';
import type { Services } from '../services/services.ts';
import { stopInOrder, type StopStep } from './stop-in-order.ts';
import { sampleFileName, sampleWorkflow } from './sample-workflow.ts';

export type AppOptions = Omit<ServiceOptions, 'clock' | 'log'> & {
  /** A further address to listen on, open to others. */
  readonly unsafeListen?: string;
  /** An address that other machines reach, in place of the loopback ones. */
  readonly listen?: PublicListen | undefined;
  /** true: browsers reach the server by https alone. Default: if clients use it by an https URL. */
  readonly isHttps?: boolean | undefined;
  /** Figures of the server on a port of the caller's, which closes with the app. */
  readonly metrics?: RunningMetrics | undefined;
  /** Checks of `/readyz`, which is there with `listen` or `access`. */
  readonly readyChecks?: readonly ReadyCheck[];
  /** Folder of the built pages; without it, or where it is not there, the server has none. */
  readonly pagesFolder?: string | undefined;
  /** True if the first start creates a sample workflow and a first key. */
  readonly sample?: boolean;
  /** Resolves when a stop is asked for: the start then waits for no workflow file any more. */
  readonly stopRequested?: Promise<void>;
  readonly clock?: Clock;
  readonly log?: Log;
};

/** A header, its value, and the paths on which the server looks at it. */
export type ControlDoor = { readonly prefix: string; readonly header: string; readonly token: string };

export type RunningApp = {
  readonly url: string;
  readonly services: Services;
  readonly folder: DataFolder;
  readonly handlers: Handlers;
  /** Access to the control API: for the desktop window's own process, never for a page. */
  readonly control: ControlDoor;
  /** The first key's secret, on the very first start only. */
  readonly firstKey?: string;
  /** Repairs made in the data folder, worded for the user. */
  readonly notices: readonly string[];
  /** Drains requests, stops runs where they are, lets go of the data folder: within 9 s. Never rejects. */
  close(): Promise<void>;
};

/** Files that take longer to parse, in ms, are served once they are parsed; the server does not wait for them. */
const longestLookMs = 10_000;

/** Starts everything. Throws `data_folder_locked`, `data_unreadable`, `port_taken`. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { clock = systemClock } = options;
  const log = options.log ?? (await import('./log.ts')).createLog('info');
  const dataDir = resolve(options.dataDir);
  const opened = await openServices({ keepsWarm: true, ...options, dataDir, clock, log });
  const { services, backend } = opened;
  const { folder } = backend;
  const { runs, workflows } = services;
  let servers: HttpServers | undefined;
  try {
    // Before runs go on: a folder named at the start decides what their calls may reach.
    await waitAtMost(longestLookMs, workflows.workflows.refresh(), options.stopRequested);
    await runs.runs.recover();
    await services.authoring.saves.clearLeftovers();
    const token = createControlToken();
    const startedAt = isoTime(clock);
    // Known once the server listens; its handlers are made before.
    let url = '';
    const serverInfo = { dataDir, startedAt, url: () => url, readOnly: options.readOnly };
    const replay: ControlHost['replay'] = (call, content, token) =>
      replayCall({ port: Number(new URL(servers?.localUrl ?? '').port), call, content, token });
    const control = openControl(options, services, { ...serverInfo, token, replay, clock, log });
    const { handlers, feed, controlApi } = control;
    servers = await openServers(options, { opened, controlApi, clock, log });
    const { localUrl } = servers;
    url = servers.url;
    servers.ports.forEach((port) => runs.ownPorts.add(port));
    await backend.onListening?.(servers.addresses);
    await folder.serverInfo.write({ pid: process.pid, url: localUrl, controlToken: token, startedAt });
    // After the port is ours: a key that is made and never shown would be lost.
    const firstKey = options.sample === true ? await leaveSample(opened, dataDir) : undefined;
    const close = closeOnce({ servers, metrics: options.metrics, opened, feed, clock, log });
    const { notices } = folder;
    const first = firstKey === undefined ? {} : { firstKey };
    return { url, services, folder, handlers, control: doorOf(token), notices, close, ...first };
  } catch (error) {
    await servers?.close();
    await opened.close();
    throw error;
  }
}

/** The control API, and what pages watch. */
function openControl(
  options: AppOptions,
  services: Services,
  host: Omit<ControlHost, 'client' | 'entryCode' | 'rehearse'> & {
    readonly token: string;
    readonly log: Log;
  },
) {
  const { token, clock, log } = host;
  const { access } = services;
  const entryCodes = new EntryCodes(clock);
  const handlers = createControlHandlers(services, {
    ...host,
    client: 'app',
    entryCode: () => entryCodes.create(),
    rehearse: (test) => rehearseCall({ ...services, log }, test),
  });
  const feed = openLiveFeed(services, host);
  const watch = new WorkflowWatch({ workflows: services.workflows.workflows, clock, log });
  // Cookies are for https alone where clients use the server by an https URL.
  const isHttps = options.isHttps ?? options.listen?.publicUrl !== undefined;
  const controlApi = createControlApi({
    token,
    browsers: access.browsers,
    handlers,
    entryCodes,
    team: access.team && { ...access.team, isHttps, log },
    isContinued: continuesEditing(services.authoring.claims),
    updates: (reading) => watch.during(feed.read(reading)),
    routes: createControlRoutes(services, { clock, log }),
    clock,
  });
  return { handlers, feed, controlApi };
}

/** Resolves with the work or `end`, or after that time on the real clock. Rejects when the work fails meanwhile. */
async function waitAtMost(ms: number, work: Promise<void>, end: Promise<void> = work): Promise<void> {
  const done = new AbortController();
  const timeUp = sleep(systemClock, ms, done.signal).catch(() => undefined);
  try {
    await Promise.race([work, timeUp, end]);
  } finally {
    done.abort();
  }
}

const doorOf = (token: string): ControlDoor => ({
  prefix: controlPrefix,
  header: controlTokenHeader,
  token,
});

type ServersDeps = {
  readonly opened: OpenedServices;
  readonly controlApi: ReturnType<typeof createControlApi>;
  readonly clock: Clock;
  readonly log: Log;
};

async function openServers(options: AppOptions, deps: ServersDeps): Promise<HttpServers> {
  const { opened, controlApi, clock, log } = deps;
  const { services, backend } = opened;
  const { settings } = services.access;
  const { pagesFolder, unsafeListen, listen, readyChecks = [], fixedApiKey: fixedKey } = options;
  const { metrics } = options;
  const { port = defaultPort, allowedHosts } = settings();
  const servers = await openHttpServers({
    app: {
      requestCounter: metrics && registerRequests(metrics.metrics),
      controlApi,
      pages: createPages(pagesFolder === undefined ? new Map() : await readPageFiles(pagesFolder)),
      publicApi: createPublicApi({ ...services, clock, log }),
      recording: { ...services.api, extraKeyHeader: () => settings().extraKeyHeader, fixedKey, clock },
    },
    port: options.port ?? port,
    unsafeListen,
    allowedHosts,
    listen,
    readyChecks: [...readyChecks, ...(backend.readyChecks ?? [])],
    isProbedLocally: options.access !== undefined,
    clock,
    log,
  });
  const help = 'Connections that are open.';
  metrics?.metrics.gauge({ name: 'rowbench_http_connections', help }, () => servers.connections());
  const own = metrics === undefined ? [] : [metrics.address];
  const ports = [...servers.ports, ...own.map((address) => address.port)];
  return { ...servers, ports, addresses: [...servers.addresses, ...own] };
}

/** A data folder that has never had a key is new to its user: it gets something to run and a key to run it with. */
async function leaveSample(
  { services, backend: { folder } }: OpenedServices,
  dataDir: string,
): Promise<string | undefined> {
  if (folder.keys.value.keys.length > 0) return undefined;
  const files = new WorkflowFiles({});
  const workflowFolder = ownWorkflowFolder(dataDir);
  // There already when a first start ended before the key was made, or brought by an import.
  const isThere = (await files.stamp(join(workflowFolder, sampleFileName))) !== undefined;
  if (!isThere && !services.workflows.workflows.has(sampleId)) {
    await files.create(workflowFolder, sampleFileName, sampleWorkflow);
  }
  const { secret } = await services.access.keys.create({ name: firstKeyName, workflows: null });
  return secret;
}

type CloseDeps = {
  readonly servers: HttpServers;
  readonly metrics: RunningMetrics | undefined;
  readonly opened: OpenedServices;
  readonly feed: AppFeed;
  readonly clock: Clock;
  readonly log: Log;
};

function closeOnce({ servers, metrics, opened, feed, clock, log }: CloseDeps): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const stopServers = async (): Promise<void> => {
    await servers.drain();
    // A page that watches would keep the server open as long as it may.
    feed.close();
    await servers.close();
    await metrics?.close();
  };
  const steps: readonly StopStep[] = [
    // Answers under way have 4 s of them (server-limits.ts).
    { name: 'HTTP server', budgetMs: 4500, stop: stopServers },
    { name: 'server file', budgetMs: 250, stop: () => opened.backend.folder.serverInfo.remove() },
    ...opened.stopSteps,
  ];
  return () => (closing ??= stopInOrder(steps, { clock, log }));
}
