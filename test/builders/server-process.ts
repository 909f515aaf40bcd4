// The real server as a real child process: `dist/cli.js serve` on a free port and a data folder of the test's own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describeProcess, within } from './stuck-process.ts';

const ownProgram = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const moduleOf = (name: string): string => new URL(`../proof/${name}`, import.meta.url).href;

export const testKey = 'rbk_test-key-for-specs-0123456789';

/** A start takes half a second, and a stop five at most; machines that test are shared. In ms. */
const longestMs = 60_000;

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Milliseconds from spawn to the ready line. */
  readonly startMs: number;
  readonly stderr: () => string;
  /** Ends it as a user would. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
};

type StartOptions = {
  /** `dist/cli.js`, of another build too. Default: this checkout's. */
  readonly program?: string;
  readonly dataDir: string;
  readonly workflows?: string;
  readonly limits?: 'published' | 'off';
  /** Classes of addresses that its workflows may call. */
  readonly allowNetwork?: string;
  /** File for the figures that the process writes on SIGUSR2. */
  readonly probeReport?: string;
  /** Folder in which the process lists, at its end, the scripts that it loaded. */
  readonly coverage?: string;
  /** A module of test/proof that the process loads before the product: a planted fault. */
  readonly fault?: string;
  /** Limit of open file descriptors of the process (`ulimit -n`). */
  readonly maxOpenFiles?: number;
};

export async function startServerProcess(options: StartOptions): Promise<ServerProcess> {
  const { dataDir, workflows, limits = 'off', probeReport, allowNetwork, fault } = options;
  const probe = probeReport === undefined ? [] : ['--import', moduleOf('process-probe.mjs')];
  const nodeOptions = [...probe, ...(fault === undefined ? [] : ['--import', moduleOf(fault)])];
  const folders = workflows === undefined ? [] : ['--workflows', workflows];
  const network = allowNetwork === undefined ? [] : ['--allow-network', allowNetwork];
  const limit = options.maxOpenFiles;
  const [program, ...shell] =
    limit === undefined
      ? [process.execPath]
      : ['bash', '-c', `ulimit -n ${limit} && exec "$0" "$@"`, process.execPath];
  const began = performance.now();
  const child = spawn(
    program,
    [
      ...shell,
      ...nodeOptions,
      options.program ?? ownProgram,
      'serve',
      '--port',
      '0',
      '--data',
      dataDir,
      '--limits',
      limits,
      ...folders,
      ...network,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ROWBENCH_API_KEY: testKey,
        ...(probeReport === undefined ? {} : { PROBE_REPORT: probeReport }),
        ...(options.coverage === undefined ? {} : { NODE_V8_COVERAGE: options.coverage }),
      },
    },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-20_000)));
  const ended = once(child, 'exit');
  /** One that does not come to it is ended for good, so that no test waits for it. */
  const inTime = <T>(what: string, promise: Promise<T>): Promise<T> =>
    within(longestMs, promise, async () => {
      const words = await describeProcess(child);
      child.kill('SIGKILL');
      return `the server is not ${what}: ${words}; it said: ${stderr}`;
    });
  const url = await inTime(
    'ready',
    readyUrl(child, () => stderr),
  );
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await inTime(`ended by ${signal}`, ended);
  };
  return {
    url,
    pid: child.pid ?? 0,
    process: child,
    startMs: performance.now() - began,
    stderr: () => stderr,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function readyUrl(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /^Rowbench listening on (http:\S+)$/m.exec(stdout);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`server ended before it was ready (${code ?? signal}): ${stderr()}`)),
    );
  });
}
