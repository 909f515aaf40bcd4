// Ends row workers whose main process was killed. An idle worker notices by itself; one that computes without end
// cannot. So a shell of a few lines waits at the end of a pipe: when the main process ends, for whatever reason, the
// pipe closes and the shell kills the remaining workers. On Windows the system ends child processes with their parent.
import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Lines of `+ PID`, `- PID` and `d FOLDER`. At the end of them, whatever was added and not taken away is killed, and
 * the workers' empty folder goes if it is still there.
 */
const script = `
while read -r verb pid; do
  case $verb in
    d) folder=$pid ;;
    +) pids="$pids $pid " ;;
    -) pids="\${pids%%" $pid "*}\${pids#*" $pid "}" ;;
  esac
done
[ -z "\${pids# }" ] || kill -9 $pids 2>/dev/null
rmdir "$folder" 2>/dev/null
`;

export class OrphanGuard {
  #shell: ChildProcess | undefined;
  /** Folders of the workers that have not ended, by pid. */
  readonly #folders = new Map<number, string>();

  /** Notes a worker that was started, and the folder that it stands in. */
  guardProcess(pid: number, folder: string): void {
    if (process.platform === 'win32') return;
    this.#folders.set(pid, folder);
    if (this.#shell !== undefined) return this.#addToShell(pid, folder);
    // One that could not be started, in a shortage of the system, is started again with the next worker.
    this.#shell = startShell(() => (this.#shell = undefined));
    for (const [each, itsFolder] of this.#folders) this.#addToShell(each, itsFolder);
  }

  #addToShell(pid: number, folder: string): void {
    this.#shell?.stdin?.write(`d ${folder}\n+ ${pid}\n`);
  }

  /** Notes that a worker has ended: its pid may soon belong to another process. */
  releaseProcess(pid: number): void {
    this.#folders.delete(pid);
    this.#shell?.stdin?.write(`- ${pid}\n`);
  }

  /** To be called when all workers have ended. */
  close(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }
}

function startShell(onError: () => void): ChildProcess {
  // In a group of its own: what ends the main process from a terminal must not end its guard first.
  const shell = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    detached: true,
  });
  // Without a shell there is no guard; the runs themselves do not depend on it.
  shell.on('error', onError);
  // Without free file descriptors, Node creates no streams.
  (shell.stdin as typeof shell.stdin | undefined)?.on('error', () => undefined);
  shell.unref();
  return shell;
}
