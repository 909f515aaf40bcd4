// Commands from start to end: in this process, or as the built program in a child process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { runProgram } from '../../src-main/cli/run-program.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));
/** No command of a test takes nearly as long; a hanging one must not outlive it. */
const timeoutMs = 20_000;

export type CliResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

type CliOptions = {
  /** Working folder of the command. */
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string | undefined;
};

/** The last command that changed the working folder or the standard input of this process. */
let lastToChangeProcess: Promise<unknown> = Promise.resolve();

/** Runs a command in this process, which spares the start of a program; its row workers are real processes. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { cwd, stdin } = options;
  if (cwd === undefined && stdin === undefined) return runInProcess(args, options);
  const done = lastToChangeProcess.then(async () => {
    const before = { cwd: process.cwd(), stdin: Object.getOwnPropertyDescriptor(process, 'stdin') };
    if (cwd !== undefined) process.chdir(cwd);
    if (stdin !== undefined) replaceStdin({ value: Readable.from([Buffer.from(stdin)]) });
    try {
      return await runInProcess(args, options);
    } finally {
      process.chdir(before.cwd);
      replaceStdin(before.stdin ?? {});
    }
  });
  lastToChangeProcess = done.catch(() => undefined);
  return done;
}

const replaceStdin = (stdin: PropertyDescriptor): unknown =>
  Object.defineProperty(process, 'stdin', { ...stdin, configurable: true });

async function runInProcess(args: readonly string[], { env }: CliOptions): Promise<CliResult> {
  const terminal = recordedTerminal({
    env: { ...inheritedEnvironment(), ...env },
    platform: process.platform,
  });
  const code = await runProgram(args, {
    terminal,
    clock: systemClock,
    workerScript,
    pagesFolder: 'none',
    command: 'rowbench',
  });
  return { code, stdout: terminal.outText(), stderr: terminal.errText() };
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  const inherited = { ...process.env };
  for (const name of ['ROWBENCH_API_KEY', 'ROWBENCH_DATA', 'ROWBENCH_DEBUG', 'ROWBENCH_TOKEN'])
    delete inherited[name];
  return inherited;
}

/** Runs the built command line in a child process, for what only a process has: its PATH, its signals, its memory. */
export async function runCliProcess(
  args: readonly string[],
  { cwd, env, stdin = '' }: CliOptions = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [cliFile, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    env: { ...inheritedEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that refuses early does not read its input to the end.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
