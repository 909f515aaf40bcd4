// Runs a command in this process, on a terminal that records its output. No worker starts.
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import type { CommandContext } from '../../src-main/cli/context.ts';
import { createProgram } from '../../src-main/cli/create-program.ts';
import type { Terminal } from '../../src-main/cli/terminal/terminal.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

export type ProgramResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Errors that the command throws come out as they are, but for those of its arguments. */
export async function callProgram(
  args: readonly string[],
  options: Partial<Terminal> = {},
): Promise<ProgramResult> {
  const terminal = recordedTerminal(options);
  let code = 0;
  const context: CommandContext = {
    terminal,
    clock: systemClock,
    workerScript,
    pagesFolder: 'none',
    command: 'rowbench',
    exitWith: (exitCode) => {
      code = exitCode;
    },
  };
  try {
    const program = await createProgram(context, args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = 2;
  }
  return { code, stdout: terminal.outText(), stderr: terminal.errText() };
}
