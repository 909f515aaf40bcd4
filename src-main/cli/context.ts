import type { Clock } from '../base/clock.ts';
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export type CommandContext = {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Path of the bundled row worker. */
  readonly workerScript: string;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
  /** What this program is called by on this command line: hints repeat it, so that they can be pasted. */
  readonly command: string;
  /** Sets what the process will end with; without a call it is 0. */
  readonly exitWith: (code: ExitCode) => void;
};

/** One JSON value on standard output, for a script. */
export const printJson = ({ terminal }: CommandContext, value: unknown): Promise<void> =>
  terminal.out(`${JSON.stringify(value, null, 2)}\n`, 'data');
