// The whole product, wired once: settings, stores, services, server. Who calls: `rowbench serve`, the desktop shell,
// and every test that speaks HTTP.
import { join, resolve } from 'node:path';
import { isoTime, type Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { sleep } from '../base/sleep.ts';
import { systemClock } from '../base/system-clock.ts';
import type { Handlers } from '../contract/index.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { firstKeyName, sampleId } from '../domain/first-start.ts';
import { defaultPort } from '../domain/setting-effects.ts';
import type { LimitMode } from '../domain/settings.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { ForkUtility } from '../executor/process/utility-worker.ts';
import type { ApiLogDeps } from '../http/control-api/api-log.ts';
import { controlPrefix, createControlApi } from '../http/control-api/create-control-api.ts';
import { createControlRoutes } from '../http/control-api/create-control-handlers.ts';
import { controlTokenHeader, createControlToken } from '../http/control-api/control-token.ts';
import { registerRequests } from '../http/count-requests.ts';
import { createPages } from '../http/pages.ts';
import { createPublicApi } from '../http/public-api/create-public-api.ts';
import { replayCall } from '../http/replay-call.ts';
import type { ReadyCheck } from '../http/health.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { KeySeal } from '../storage/key-file-vault.ts';
import { readPageFiles } from '../files/page-files.ts';
import { ownWorkflowFolder } from '../storage/data-location.ts';
import { WorkflowWatch } from '../services/workflow-watch.ts';
import { WorkflowFiles } from '../storage/workflow-files.ts';
import type { RunningMetrics } from './metrics/open-metrics.ts';
import { openHttpServers, type HttpServers, type PublicListen } from './open-http-servers.ts';
import { openLiveFeed, type AppFeed } from './open-live-feed.ts';
import { openAccess, type AccessOptions } from './open-access.ts';
import { openServices, type Services } from './open-services.ts';
import type { ServiceOptions } from './service-options.ts';
import { stopInOrder, type StopStep } from './stop-in-order.ts';
import { version } from './version.ts';
import { sampleFileName, sampleWorkflow } from './sample-workflow.ts';
import { wireControlHandlers } from './wire-control-handlers.ts';

export type AppOptions = AccessOptions & {
  readonly dataDir: string;
  readonly workflowFolders?: readonly string[];
  readonly workflowFiles?: readonly string[];
  readonly openBackend?: ServiceOptions['openBackend'];
  /** 0: any free port; without it that of the settings. */
  readonly port?: number | undefined;
  readonly limits?: LimitMode;
  /** For the calls of the workflows named here, beside what each was granted. */
  readonly allowNetwork?: readonly AddressClass[];
  /** true: a request header may ask for a scenario. */
  readonly scenarios?: boolean;
  readonly fixedApiKey?: string;
  readonly extraSecrets?: readonly Secret[];
  /** A further address to listen on, open to others. */
  readonly unsafeListen?: string;
  /** An address that other machines reach, in place of the loopback ones. */
  readonly listen?: PublicListen | undefined;
  /** Figures of the server on a port of the caller's, which closes with the app. */
  readonly metrics?: RunningMetrics | undefined;
  /** Checks of `/readyz`, which is there with `listen` or `access`. */
  readonly readyChecks?: readonly ReadyCheck[];
  /** Maximum bytes of traces per run, in place of the default. */
  readonly maxTraceBytes?: number | undefined;
  /** Called once when the store can be neither read nor written any more: the process has to end. */
  readonly onStoreDied?: ((error: Error) => void) | undefined;
  /** In place of the machine's own, for what the data folder holds. */
  readonly fileSystem?: FileSystem | undefined;
  /** Path of the bundled row worker. */
  readonly workerScript: string;
  readonly parser?: ServiceOptions['parser'];
  readonly pool?: ServiceOptions['pool'];
  /** Folder of the built pages; without it, or where it is not there, the server has none. */
  readonly pagesFolder?: string | undefined;
  /** True if the first start creates a sample workflow and a first key. */
  readonly sample?: boolean;
  /** Electron's way to start row workers; without it they are child processes of this one. */
  readonly forkUtility?: ForkUtility | undefined;
  /** Seals the key of the secrets; absent: the key file is not sealed. */
  readonly keySeal?: KeySeal | undefined;
  /** Resolves when a stop is asked for: the start then waits for no workflow file any more. */
  readonly stopRequested?: Promise<void>;
  /** Why no workflow file is changed; absent: they can be. */
  readonly readOnly?: string | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
};

/** A header, its value, and the paths on which the server looks at it. */
export type ControlDoor = { readonly prefix: string; readonly header: string; readonly token: string };

export type RunningApp = {
  readonly url: string;
  readonly services: Services;
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
  const services = await openServices({ ...options, dataDir, clock, log });
  let servers: HttpServers | undefined;
  try {
    const refreshed = waitAtMost(longestLookMs, services.workflows.refresh(), options.stopRequested);
    await Promise.all([services.runs.recover(), refreshed]);
    await services.saves.clearLeftovers();
    const token = createControlToken();
    const startedAt = isoTime(clock);
    // Known once the server listens; its handlers are made before.
    let url = '';
    const serverInfo = { dataDir, startedAt, url: () => url, readOnly: options.readOnly };
    const access = await openAccess(accessOptionsOf(options), { ...services, clock, log });
    const replay: ApiLogDeps['replay'] = (call, content, token) =>
      replayCall({ port: Number(new URL(servers?.localUrl ?? '').port), call, content, token });
    const handlers = wireControlHandlers(services, {
      ...serverInfo,
      ...access,
      clock,
      replay,
      origin: { kind: 'app' },
      log,
    });
    const feed = openLiveFeed(services, { ...serverInfo, version, clock });
    const watch = new WorkflowWatch({ workflows: services.workflows, clock, log });
    const controlApi = createControlApi({
      token,
      browsers: services.browsers,
      handlers,
      ...access,
      updates: (reading) => watch.during(feed.read(reading)),
      routes: createControlRoutes({ ...services, clock, log }),
      clock,
    });
    servers = await openServers(options, { services, controlApi, clock, log });
    const { localUrl } = servers;
    url = servers.url;
    // Not before: it would take a core from the start.
    services.keepWarm();
    servers.ports.forEach((port) => services.ownPorts.add(port));
    await services.onListening?.(servers.addresses);
    await services.folder.serverInfo.write({
      pid: process.pid,
      url: localUrl,
      controlToken: token,
      startedAt,
    });
    // After the port is ours: a key that is made and never shown would be lost.
    const firstKey = options.sample === true ? await leaveSample(services, dataDir) : undefined;
    const close = closeOnce({ servers, metrics: options.metrics, services, feed, clock, log });
    const { notices } = services.folder;
    const first = firstKey === undefined ? {} : { firstKey };
    return { url, services, handlers, control: doorOf(token), notices, close, ...first };
  } catch (error) {
    await servers?.close();
    await services.close();
    throw error;
  }
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

/** Cookies are for https alone where clients use the server by an https URL. */
const accessOptionsOf = (options: AppOptions): AccessOptions => ({
  ...options,
  isHttps: options.isHttps ?? options.listen?.publicUrl !== undefined,
});

type ServersDeps = {
  readonly services: Services;
  readonly controlApi: ReturnType<typeof createControlApi>;
  readonly clock: Clock;
  readonly log: Log;
};

async function openServers(options: AppOptions, deps: ServersDeps): Promise<HttpServers> {
  const { services, controlApi, clock, log } = deps;
  const { pagesFolder, unsafeListen, listen, readyChecks = [], fixedApiKey: fixedKey } = options;
  const { metrics } = options;
  const { port = defaultPort, allowedHosts } = services.settings();
  const servers = await openHttpServers({
    app: {
      requestCounter: metrics && registerRequests(metrics.metrics),
      controlApi,
      pages: createPages(pagesFolder === undefined ? new Map() : await readPageFiles(pagesFolder)),
      publicApi: createPublicApi({ ...services, clock, log }),
      recording: { ...services, extraKeyHeader: () => services.settings().extraKeyHeader, fixedKey, clock },
    },
    port: options.port ?? port,
    unsafeListen,
    allowedHosts,
    listen,
    readyChecks: [...readyChecks, ...services.readyChecks],
    isProbedLocally: options.access !== undefined,
    clock,
    log,
  });
  const help = 'Connections that are open.';
  metrics?.metrics.gauge({ name: 'rowbench_http_connections', help }, () => servers.connections());
  const ports = [...servers.ports, ...(metrics === undefined ? [] : [metrics.port])];
  return { ...servers, ports };
}

/** A data folder that has never had a key is new to its user: it gets something to run and a key to run it with. */
async function leaveSample(
  { keys, folder, workflows }: Services,
  dataDir: string,
): Promise<string | undefined> {
  if (folder.keys.value.keys.length > 0) return undefined;
  const files = new WorkflowFiles({});
  const workflowFolder = ownWorkflowFolder(dataDir);
  // There already when a first start ended before the key was made, or brought by an import.
  const isThere = (await files.stamp(join(workflowFolder, sampleFileName))) !== undefined;
  if (!isThere && !workflows.has(sampleId)) {
    await files.create(workflowFolder, sampleFileName, sampleWorkflow);
  }
  const { secret } = await keys.create({ name: firstKeyName, workflows: null });
  return secret;
}

type CloseDeps = {
  readonly servers: HttpServers;
  readonly metrics: RunningMetrics | undefined;
  readonly services: Services;
  readonly feed: AppFeed;
  readonly clock: Clock;
  readonly log: Log;
};

function closeOnce({ servers, metrics, services, feed, clock, log }: CloseDeps): () => Promise<void> {
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
    { name: 'server file', budgetMs: 250, stop: () => services.folder.serverInfo.remove() },
    ...services.stopSteps,
  ];
  return () => (closing ??= stopInOrder(steps, { clock, log }));
}
