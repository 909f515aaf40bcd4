// Electron's `utilityProcess.fork` in plain Node: a real process, a message port, and the same exit event.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { ForkUtility, UtilityChild } from '../../src-main/executor/process/utility-worker.ts';

const host = join(import.meta.dirname, '../fixtures/utility-host.mjs');

/** Arguments of one `fork` call. */
export type UtilityStart = {
  readonly script: string;
  readonly args: readonly string[];
  readonly options: Parameters<ForkUtility>[2];
};

export function utilityDouble(): { readonly fork: ForkUtility; readonly starts: readonly UtilityStart[] } {
  const starts: UtilityStart[] = [];
  const forkOne: ForkUtility = (script, args, options) => {
    starts.push({ script, args, options });
    const child = fork(host, [script, ...args], {
      env: options.env,
      execArgv: options.execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const utility: UtilityChild = {
      pid: child.pid,
      stderr: child.stderr,
      postMessage: (message) => void child.send(message as object, () => undefined),
      kill: () => child.kill(),
      on: (event: string, listener: (...args: never[]) => void) =>
        child.on(event === 'error' ? 'fatal' : event, listener as (...args: unknown[]) => void),
    };
    return utility;
  };
  return { fork: forkOne, starts };
}
