import { CommanderError } from 'commander';
import { basename, isAbsolute, relative } from 'node:path';
import type { CommandContext } from './context.ts';
import { createProgram } from './create-program.ts';
import {
  describeError,
  exitCode,
  InterruptedError,
  UsageError,
  type ExitCode,
  isNoFile,
} from './exit-code.ts';
import { isClosedPipe, type Terminal } from './terminal/terminal.ts';

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

/**
 * The command that starts this program again: `rowbench` where a package manager put it on the path, else
 * `node dist/cli.js` as seen from the working folder.
 */
export function commandName(script: string, workingFolder: string): string {
  if (!/\.m?js$/.test(basename(script))) return basename(script);
  const fromHere = relative(workingFolder, script);
  const path = fromHere.startsWith('..') || isAbsolute(fromHere) ? script : fromHere;
  return `node ${/\s/.test(path) ? `"${path}"` : path}`;
}
