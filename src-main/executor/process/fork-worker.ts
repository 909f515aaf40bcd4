// Starts row workers, and the process that parses files, as child processes that can only compute. They have no
// environment, no input and an empty working folder. Where the runtime has a permission model, they have no files,
// processes, threads or add-ons either.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Duplex } from 'node:stream';
import { workerArguments, type MemoryWatcher } from './memory-limit.ts';
import { FrameReader, workerFrameLimits, type Frame } from './frames.ts';
import type { OrphanGuard } from './orphan-guard.ts';
import { residentBytesOf, usualMemoryWatcher, cpuMsOf } from './resident-size.ts';
import { rowWorkerCodec } from './check-message.ts';
import type { ProcessCodec, StartWorker, WorkerEvents, WorkerProcess } from './worker-process.ts';

type ForkOptions = {
  readonly script: string;
  readonly memoryMb: number;
  readonly workingFolder: string;
  readonly guard: OrphanGuard;
  /** Default: the main process, if the system reports the memory of other processes. */
  readonly memoryWatcher?: MemoryWatcher | undefined;
  /** True if other processes go before it where cores are scarce. */
  readonly isBackground?: boolean | undefined;
};

/** Makes an empty working folder for workers. */
export async function makeWorkingFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'rowbench-worker-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export const forkWorkers = (options: ForkOptions): StartWorker => forkProcesses(options, rowWorkerCodec);

/** Starts a process with messages of its own. */
export const forkProcesses =
  <To, From>(options: ForkOptions, codec: ProcessCodec<To, From>): StartWorker<To, From> =>
  (events) =>
    forkWorker(options, codec, events);

/** File descriptor of the channel; the worker opens the same one. */
const channelNumber = 3;
/** Size of the space for new objects, in MB: rows are short-lived, and a larger space copies fewer rows in use. */
export const youngSpace = '--max-semi-space-size=32';
/** Maximum characters of error output that are kept: enough for the engine's last message. */
export const errorTextLimit = 16_384;

function forkWorker<To, From>(
  options: ForkOptions,
  codec: ProcessCodec<To, From>,
  events: WorkerEvents<From>,
): WorkerProcess<To> {
  const { memoryMb, guard, memoryWatcher = usualMemoryWatcher() } = options;
  const isWatchedHere = memoryWatcher === 'main-process';
  const child = spawnWorker(options, memoryWatcher);
  const { pid } = child;
  let errorText = '';
  let hasEnded = false;
  const end = (code: number | null, signal: string | null, error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (pid !== undefined) guard.releaseProcess(pid);
    events.onExit({ code, signal, errorText, error });
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-errorTextLimit);
  });
  // `close` comes after the end of stderr, which has the reason. A process that never started only has `error`.
  child.on('close', (code, signal) => end(code, signal));
  child.on('error', (error) => {
    errorText += error.message;
    if (pid === undefined) end(null, null, error);
  });
  // Without free file descriptors, Node creates no streams.
  const streams = child.stdio as typeof child.stdio | undefined;
  const channel = streams?.[channelNumber] as Duplex | null | undefined;
  const reader = new FrameReader((head, parts) => {
    if (!hasEnded) events.onMessage(codec.decode(head, parts));
  }, workerFrameLimits(memoryMb));
  channel?.on('data', (bytes: Buffer) => {
    try {
      reader.readBytes(bytes);
    } catch (error) {
      // The process is no longer our worker, so nothing more is read from it.
      channel.destroy();
      errorText += `bad message: ${String(error)}`;
      child.kill('SIGKILL');
    }
  });
  // `close` reports a worker that is gone.
  channel?.on('error', () => undefined);
  return {
    send(message, onSent) {
      if (hasEnded || channel?.writable !== true) return onSent?.();
      writeFrame(channel, codec.encode(message), onSent);
    },
    cpuMs: () => (pid === undefined || hasEnded ? undefined : cpuMsOf(pid)),
    residentBytes: () => (pid !== undefined && isWatchedHere && !hasEnded ? residentBytesOf(pid) : undefined),
    kill() {
      child.kill('SIGKILL');
    },
  };
}

function spawnWorker(
  { script, memoryMb, workingFolder, guard, isBackground = false }: ForkOptions,
  memoryWatcher: MemoryWatcher,
): ChildProcess {
  const child = spawn(
    process.execPath,
    [...nodeArguments(script, memoryMb, memoryWatcher), script, ...workerArguments(memoryMb, memoryWatcher)],
    spawnOptions(workingFolder),
  );
  const { pid } = child;
  if (pid === undefined) return child;
  guard.guardProcess(pid, workingFolder);
  if (isBackground) lowerPriority(pid);
  return child;
}

function writeFrame(channel: Duplex, pieces: Frame, onSent: (() => void) | undefined): void {
  channel.cork();
  pieces.forEach((piece, index) => {
    channel.write(piece, index < pieces.length - 1 ? undefined : () => onSent?.());
  });
  channel.uncork();
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already; its exit is reported by another event.
  }
}

const spawnOptions = (workingFolder: string) => ({
  cwd: workingFolder,
  env: {},
  // The fourth stream is the channel. `overlapped` only matters on Windows.
  stdio: ['ignore', 'ignore', 'pipe', 'overlapped'] satisfies StdioOptions,
  // A separate process group: Ctrl-C reaches the whole group of the main process, which ends its workers itself, in
  // order. On Windows this would open a console window.
  detached: process.platform !== 'win32',
});

const nodeArguments = (script: string, memoryMb: number, watcher: MemoryWatcher): string[] => [
  ...[`--max-old-space-size=${memoryMb}`, youngSpace, '--no-warnings'],
  ...permissionFlags(script, watcher),
];

/**
 * Node 20 has the permission model behind an experimental flag, later ones under its own name. A worker that watches itself
 * may start threads, and a thread with arguments of its own is not held to the permissions of its process. There the
 * compartment alone keeps author code from one: it has neither `require` nor `import` nor `process`.
 */
function permissionFlags(script: string, memoryWatcher: MemoryWatcher): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const flag = ['--permission', '--experimental-permission'].find((name) => flags.has(name));
  if (flag === undefined) return [];
  const threads = memoryWatcher === 'worker-thread' ? ['--allow-worker'] : [];
  return [flag, `--allow-fs-read=${dirname(script)}${sep}`, ...threads];
}
