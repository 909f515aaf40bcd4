import type { Clock } from '../base/clock.ts';
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The collaborators that every command receives. */
export type CommandContext = {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Path of the bundled row worker. */
  readonly workerScript: string;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
  /** The command that started this program: hints repeat it, so that users can paste them. */
  readonly command: string;
  /** Sets what the process will end with; without a call it is 0. */
  readonly exitWith: (code: ExitCode) => void;
};

/** One JSON value on standard output, for a script. */
export const printJson = ({ terminal }: CommandContext, value: unknown): Promise<void> =>
  terminal.out(`${JSON.stringify(value, null, 2)}\n`, 'data');
