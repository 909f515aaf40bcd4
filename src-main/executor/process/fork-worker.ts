// Starts row workers as child processes that may do nothing but compute: no environment, an empty working folder,
// no input, and where the runtime has a permission model no files, processes, threads or add-ons.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { FromWorker } from '../protocol.ts';
import type { StartWorker, WorkerEvents, WorkerProcess } from './worker-process.ts';

export type ForkOptions = {
  readonly script: string;
  readonly memoryMb: number;
  readonly workingFolder: string;
};

/** An empty folder for workers to stand in, and its removal. */
export async function makeWorkingFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'rowbench-worker-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export const forkWorkers =
  (options: ForkOptions): StartWorker =>
  (events) =>
    forkWorker(options, events);

/** Enough for the engine's last words, too little to fill memory with. */
const errorTextLimit = 16_384;

function forkWorker({ script, memoryMb, workingFolder }: ForkOptions, events: WorkerEvents): WorkerProcess {
  const child = fork(script, [], {
    cwd: workingFolder,
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`, '--no-warnings', ...permissionFlags(script)],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C reaches the whole group of the main process, which ends its workers itself, in
    // order. On Windows this would open a console window.
    detached: process.platform !== 'win32',
  });
  let errorText = '';
  let hasEnded = false;
  const end = (code: number | null, signal: string | null): void => {
    if (hasEnded) return;
    hasEnded = true;
    events.onExit({ code, signal, errorText });
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-errorTextLimit);
  });
  child.on('message', (message) => {
    if (!hasEnded) events.onMessage(message as FromWorker);
  });
  // `close` comes after the last of stderr, which tells why; a process that never started has only `error`.
  child.on('close', end);
  child.on('error', (error) => {
    errorText += error.message;
    if (child.pid === undefined) end(null, null);
  });
  return {
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
}

/** Node 20 has the permission model behind an experimental flag, later ones under its own name. */
function permissionFlags(script: string): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const flag = ['--permission', '--experimental-permission'].find((name) => flags.has(name));
  return flag === undefined ? [] : [flag, `--allow-fs-read=${dirname(script)}${sep}`];
}
