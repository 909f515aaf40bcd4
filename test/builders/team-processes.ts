// Servers and workers of a team as real child processes of `dist/cli.js`, over one database.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testKey } from './server-process.ts';
import { within } from './stuck-process.ts';

const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** In ms; machines that test are shared. */
const longestMs = 180_000;

export type TeamProcess = {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  /** Ends it as a user would. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
};

export type TeamServerProcess = TeamProcess & { readonly url: string };

type Options = { readonly databaseUrl: string; readonly args: readonly string[]; readonly ready: RegExp };

async function start({
  databaseUrl,
  args,
  ready,
}: Options): Promise<TeamProcess & { readonly found: string }> {
  const child = spawn(process.execPath, [cliFile, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ROWBENCH_DATABASE_URL: databaseUrl, ROWBENCH_API_KEY: testKey },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-20_000)));
  const ended = once(child, 'exit');
  const isReady = new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = ready.exec(stdout);
      if (found !== null) resolve(found[1] ?? '');
    });
    child.once('exit', () => reject(new Error(`${args[0]} ended before it was ready: ${stderr}`)));
  });
  const inTime = <T>(what: string, promise: Promise<T>): Promise<T> =>
    within(longestMs, promise, async () => {
      child.kill('SIGKILL');
      return `${args[0]} is not ${what}; it said: ${stderr}`;
    });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await inTime(`ended by ${signal}`, ended);
  };
  const found = await inTime('ready', isReady);
  return { child, found, stderr: () => stderr, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** The value of a figure without labels that a process collects. */
export async function figureOf({ stderr }: TeamProcess, name: string): Promise<number> {
  const url = /^Metrics at (http:\S+)$/m.exec(stderr())?.[1] ?? '';
  const text = await (await fetch(url)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

type ServerOptions = {
  readonly workflows: string;
  readonly slots?: number;
  /** Classes of addresses that its workflows may call. */
  readonly allowNetwork?: string;
};

/** `rowbench serve --database`, without limits. */
export async function startTeamServer(
  databaseUrl: string,
  { workflows, slots = 0, allowNetwork }: ServerOptions,
): Promise<TeamServerProcess> {
  const args = [
    'serve',
    '--database',
    '--port',
    '0',
    '--slots',
    String(slots),
    '--workflows',
    workflows,
    '--limits',
    'off',
    ...(allowNetwork === undefined ? [] : ['--allow-network', allowNetwork]),
  ];
  const { found: url, ...server } = await start({ databaseUrl, args, ready: /listening on (http:\S+)$/m });
  return { ...server, url };
}

/** `rowbench work --database`, with figures for Prometheus. */
export function startTeamWorker(
  databaseUrl: string,
  { slots = 2, name = 'worker' } = {},
): Promise<TeamProcess> {
  const args = ['work', '--database', '--slots', String(slots), '--name', name, '--metrics', '0'];
  return start({ databaseUrl, args, ready: /is ready/ });
}
