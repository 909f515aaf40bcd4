import { CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import { createProgram } from './create-program.ts';
import { describeError, exitCode, InterruptedError, UsageError, type ExitCode } from './exit-code.ts';
import { isNoFile } from './system-problem.ts';
import { isClosedPipe, type Terminal } from './terminal.ts';

/** Runs one command to its end and returns its exit code. Every error becomes one plain line on the terminal. */
export async function runProgram(
  args: readonly string[],
  options: Omit<CommandContext, 'exitWith'>,
): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  const exitWith = (requested: ExitCode): void => {
    code = requested;
  };
  try {
    const program = await createProgram({ ...options, exitWith }, args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    return reportError(error, options.terminal);
  }
  return code;
}

function reportError(error: unknown, terminal: Terminal): ExitCode {
  if (isClosedPipe(error)) return exitCode.ok;
  // Commander has already printed help, the version, or the problem with the arguments.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof InterruptedError) {
    terminal.err(`${error.message}\n`);
    return exitCode.interrupted;
  }
  terminal.err(describeError(error, terminal.env['ROWBENCH_DEBUG'] === '1'));
  return error instanceof UsageError || isNoFile(error) ? exitCode.usage : exitCode.failed;
}
