// The built command line as a child process, from start to end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** No command of a test takes nearly as long; a hanging one must not outlive it. */
const patienceMs = 20_000;

export type CliResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

type Given = {
  readonly stdin?: string | undefined;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
};

export async function runCli(args: readonly string[], given: Given = {}): Promise<CliResult> {
  const inherited = { ...process.env };
  for (const name of ['ROWBENCH_API_KEY', 'ROWBENCH_DATA', 'ROWBENCH_DEBUG']) delete inherited[name];
  const child = spawn(process.execPath, [cliFile, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
    env: { ...inherited, ...given.env },
    ...(given.cwd === undefined ? {} : { cwd: given.cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that refuses early does not read its input to the end.
  child.stdin.on('error', () => undefined);
  child.stdin.end(given.stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
