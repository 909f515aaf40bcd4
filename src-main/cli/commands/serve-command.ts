import { stat } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { startApp, type RunningApp } from '../../app/start-app.ts';
import type { TeamBackendOptions } from '../../app/team/open-team-backend.ts';
import type { startTeamServer } from '../../app/team/start-team-server.ts';
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { connectionUnknown } from '../../domain/hosted-errors.ts';
import type { HostPort } from '../../domain/host-port.ts';
import { sampleId } from '../../domain/first-start.ts';
import { reachesOut } from '../../domain/nodes/catalogue.ts';
import { environmentSecrets } from '../../domain/secrets/secret.ts';
import { defaultPort } from '../../domain/setting-effects.ts';
import { limitModeSchema, type LimitMode } from '../../domain/settings.ts';
import type { TrustService } from '../../services/workflows/trust-service.ts';
import type { LoadedWorkflow, WorkflowService } from '../../services/workflows/workflow-service.ts';
import type { CommandContext } from '../context.ts';
import { assertThere } from '../control-command.ts';
import { dataDirOf, dataOption, type DataOption } from '../options/data-option.ts';
import { databaseOptions, teamOf } from '../options/database-options.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import {
  listenOptions,
  publicListenOf,
  type ListenFlags,
  metricsAt,
  metricsOption,
} from '../options/listen-options.ts';
import { openBrowser } from '../open-browser.ts';
import { profileOption, allowNetworkOption, type NetworkOption } from '../options/run-input-options.ts';
import { plainLog } from '../terminal/plain-log.ts';
import { listenForStop, unlessStopped } from '../terminal/stop-signal.ts';
import { isClosedPipe, type Terminal } from '../terminal/terminal.ts';
import { welcome, type ShownWorkflow } from '../welcome.ts';

type ServeOptions = DataOption &
  NetworkOption &
  ListenFlags & {
    readonly metrics?: HostPort;
    readonly database?: boolean;
    readonly slots?: number;
    readonly name?: string;
    readonly workflows?: readonly string[];
    readonly limits?: LimitMode;
    readonly scenarios?: boolean;
    readonly hosted?: string;
    readonly profile?: string;
    readonly readOnly?: boolean;
    readonly jsonLog?: boolean;
    readonly open?: boolean;
  };

/** Long enough not to be guessed, short enough to be typed into a CI setting. */
const shortestFixedKey = 16;

const examples = `
Examples:
  $ rowbench serve
  $ rowbench serve --workflows ./flows --limits off
  $ rowbench serve --hosted prod      (see rowbench hosted)
  $ ROWBENCH_API_KEY=ci-key-0123456789 rowbench serve --port 0 --data ./tmp

Environment:
  ROWBENCH_API_KEY   one fixed key (16 characters or more) that opens every workflow; it is not stored
  ROWBENCH_DATA      data folder

With --database:
  ROWBENCH_DATABASE_URL      the database, as in postgres://rowbench_server@db.example.com/rowbench?sslmode=verify-full
  ROWBENCH_SECRET_KEY_FILE   file with the key of the team's secrets`;

/** `rowbench serve`: the HTTP interface, until the process is told to stop. */
export function addServeCommand(program: Command, context: CommandContext): void {
  const serve = program
    .command('serve')
    .summary('serve the HTTP interface on this machine')
    .description(
      'Serves the HTTP interface on this machine alone, until it is stopped with Ctrl-C. Once it is ready it prints\n' +
        '"Rowbench listening on http://127.0.0.1:4170". Runs that are under way go on at the next start.',
    )
    .addOption(
      new Option(
        '--port <port>',
        `port on 127.0.0.1 and ::1; 0 takes a free one (default: that of the settings, else ${defaultPort})`,
      ).argParser(parsePort),
    )
    .addOption(dataOption())
    .option('--workflows <dir...>', 'folders with workflow files, beside those in the data folder')
    .addOption(
      new Option('--limits <mode>', 'rate limits: published, off, or a multiple such as 10x').argParser(
        parseLimits,
      ),
    )
    .addOption(profileOption())
    .option('--hosted <name>', 'runs that scripts start here are executed by this hosted service')
    .option('--scenarios', 'let the request header x-rowbench-scenario inject failures into runs')
    .addOption(
      new Option(
        '--unsafe-listen <host>',
        'listen on this address too: others can then reach the server',
      ).argParser(parseHost),
    )
    .addOption(metricsOption())
    .option('--read-only', 'change no workflow file: the app shows workflows and saves none')
    .addOption(allowNetworkOption())
    .option('--open', 'open the app in a browser')
    .option('--no-browser', 'open no browser, which is the default')
    .option('--json-log', 'log every event as a line of JSON on standard error')
    .addHelpText('after', examples)
    .action((options: ServeOptions) => serveCommand(context, options));
  for (const option of [...databaseOptions(), ...listenOptions()]) serve.addOption(option);
}

async function serveCommand(context: CommandContext, options: ServeOptions): Promise<void> {
  const { terminal, clock } = context;
  const team = teamOf(context, options);
  const listen = publicListenOf(options, team !== undefined);
  await assertFolders(options.workflows ?? []);
  await assertHasConnections(context, options);
  const log =
    options.jsonLog === true ? (await import('../../app/log.ts')).createLog('info') : plainLog(terminal);
  const stopSignal = listenForStop(clock, log);
  const storeDied = deferred<Error>();
  const started = { onStoreDied: storeDied.resolve, stopRequested: stopSignal.requested, log };
  const metrics = await metricsAt(options.metrics, { clock, log });
  const whole = { ...appOptions(context, options), ...started, listen, metrics };
  const starting = start(whole, team, stopSignal.signal);
  const app = await unlessStopped(stopSignal, starting).catch(async (error: unknown) => {
    await metrics?.close();
    throw error;
  });
  if (app === undefined) return stopSignal.finish(async () => metrics?.close());
  await say(terminal, `Rowbench listening on ${app.url}\n`);
  if (metrics !== undefined) terminal.err(`Metrics at ${metrics.url}\n`);
  // Users of a team sign in with their tokens: there is no link to show.
  if (team === undefined && (terminal.outIsTerminal || app.firstKey !== undefined)) {
    // It names a workflow, and the files may still be read.
    const shown = await Promise.race([stopSignal.requested, welcomeOf(context, app, options)]);
    if (shown !== undefined) await say(terminal, shown);
  }
  if (options.open === true) await openApp(terminal, app);
  const stopNoticing = noticeChanges(app.services.workflows.workflows, clock);
  const failure = await Promise.race([stopSignal.requested, storeDied.promise]);
  if (failure !== undefined) context.exitWith(exitCode.failed);
  if (options.jsonLog !== true) terminal.err(stopping(options));
  stopNoticing();
  await stopSignal.finish(() => app.close());
}

const stopping = ({ database }: ServeOptions): string =>
  database === true
    ? 'Stopping; what is under way goes on at another worker.\n'
    : 'Stopping; runs that are under way go on at the next start.\n';

type StartOptions = Parameters<typeof startApp>[0] & Omit<Parameters<typeof startTeamServer>[0], 'team'>;

/** Starts the server. PostgreSQL's client is loaded for a team alone. */
async function start(
  options: StartOptions,
  team: TeamBackendOptions | undefined,
  stopped: AbortSignal,
): Promise<RunningApp> {
  if (team === undefined) return startApp(options);
  const { startTeamServer } = await import('../../app/team/start-team-server.ts');
  return startTeamServer({ ...options, team: { ...team, stopped } });
}

/** Throws `invalid_input` for a connection without a data folder, which a mistyped name does not make. */
async function assertHasConnections(context: CommandContext, options: ServeOptions): Promise<void> {
  const { hosted } = options;
  if (hosted === undefined || options.database === true) return;
  await assertThere(context, options).catch(() => {
    throw connectionUnknown(hosted, []);
  });
}

/** Throws a UsageError for a path that is no folder: a server without its workflows helps no caller. */
async function assertFolders(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new UsageError(`--workflows ${path}: no such folder`);
    if (!found.isDirectory())
      throw new UsageError(`--workflows ${path}: is a file; name the folder that it is in`);
  }
}

/** Opens the app in the user's browser, or says where it is. */
async function openApp(terminal: Terminal, app: RunningApp): Promise<void> {
  const { url, minutes } = await app.handlers['server.link']({});
  if (await openBrowser(url, terminal.platform)) return;
  terminal.err(`No browser could be opened here. Within ${minutes} minutes, open ${url}\n`);
}

/** Writes to standard output. The server goes on when the reader has gone, as with `rowbench serve | head -1`. */
async function say(terminal: Terminal, text: string): Promise<void> {
  try {
    await terminal.out(text);
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
}

function appOptions(context: CommandContext, options: ServeOptions): Parameters<typeof startApp>[0] {
  const { terminal, clock, workerScript, pagesFolder } = context;
  const apiKey = fixedApiKey(terminal.env);
  return {
    dataDir: dataDirOf(context, options),
    port: options.port,
    clock,
    workerScript,
    pagesFolder,
    // A user who brings a key brings workflows too; any other user gets a sample to try out.
    sample: apiKey === undefined,
    extraSecrets: environmentSecrets(terminal.env),
    ...(apiKey === undefined ? {} : { fixedApiKey: apiKey }),
    ...(options.workflows === undefined ? {} : { workflowFolders: [...options.workflows] }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    allowNetwork: options.allowNetwork ?? [],
    ...(options.readOnly === true ? { readOnly: 'this server was started with --read-only' } : {}),
    ...(options.hosted === undefined ? {} : { gateway: options.hosted }),
    ...(options.scenarios === undefined ? {} : { scenarios: options.scenarios }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.unsafeListen === undefined ? {} : { unsafeListen: options.unsafeListen }),
  };
}

function fixedApiKey(env: NodeJS.ProcessEnv): string | undefined {
  const key = env['ROWBENCH_API_KEY'];
  if (key === undefined || key === '') return undefined;
  if (key.length < shortestFixedKey || /[^\u0021-\u007e]/.test(key)) {
    throw new UsageError(
      `ROWBENCH_API_KEY must have ${shortestFixedKey} characters or more, all printable ASCII without blanks`,
    );
  }
  return key;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${text}"`);
  }
  return port;
}

/** An empty value, say from an unset variable, must never come to mean "every address". */
function parseHost(text: string): string {
  if (text.trim() === '') throw new UsageError('--unsafe-listen needs an address');
  return text.trim();
}

function parseLimits(text: string): LimitMode {
  const scale = /^(\d+)x$/.exec(text)?.[1];
  const mode = limitModeSchema.safeParse(scale === undefined ? text : { scale: Number(scale) });
  if (!mode.success) throw new UsageError(`--limits must be published, off or 1x to 1000x, not "${text}"`);
  return mode.data;
}

/**
 * The workflow of the line to paste: one that a call can start, the user's own before the sample, and one that calls no
 * service before one that does.
 */
function workflowToShow(
  all: readonly LoadedWorkflow[],
  trust: Pick<TrustService, 'standingOf'>,
): ShownWorkflow | undefined {
  const candidates = all.flatMap((loaded) => {
    const { workflow, sampleRow, location } = loaded;
    if (workflow === undefined || sampleRow === undefined) return [];
    if (trust.standingOf(loaded).kind === 'untrusted') return [];
    const isSample = workflow.id === sampleId && location === 'own';
    const callsOut = workflow.nodes.some(({ type }) => reachesOut(type));
    return [{ rank: Number(isSample) * 2 + Number(callsOut), shown: { ...workflow, sampleRow } }];
  });
  return candidates.sort((one, other) => one.rank - other.rank)[0]?.shown;
}

async function welcomeOf(
  { terminal, command }: CommandContext,
  app: RunningApp,
  options: ServeOptions,
): Promise<string> {
  const { workflows, trust } = app.services.workflows;
  const link = await app.handlers['server.link']({});
  return welcome({
    url: app.url,
    link,
    firstKey: app.firstKey,
    workflow: workflowToShow(await workflows.list(), trust),
    command,
    dataArgument: options.data === undefined ? '' : ` --data "${options.data}"`,
    platform: terminal.platform,
    env: terminal.env,
  });
}

/** Soon enough after saving; a look costs one question to the disk a file. */
const lookEveryMs = 2000;

/**
 * Reads the workflow files again and again, so that a mistake is reported when it is saved and not when the workflow is
 * next called. Gives what ends it.
 */
function noticeChanges(workflows: WorkflowService, clock: Clock): () => void {
  let isEnded = false;
  let cancel = (): void => undefined;
  const lookLater = (): void => {
    if (isEnded) return;
    // A failed look is not reported here: the next call of a workflow meets the same error.
    cancel = clock.setTimer(lookEveryMs, () => void workflows.refresh().then(lookLater, lookLater));
  };
  lookLater();
  return () => {
    isEnded = true;
    cancel();
  };
}
