#!/usr/bin/env node
// The `rowbench` command: reads the arguments, runs one command, and ends with its exit code. Every error becomes
// one plain line here.
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { systemClock } from '../base/system-clock.ts';
import { commandName } from './command-name.ts';
import { createProgram } from './create-program.ts';
import { describeError, exitCode, InterruptedError, UsageError, type ExitCode } from './exit-code.ts';
import { isNoFile } from './system-problem.ts';
import { isClosedPipe, processTerminal } from './terminal.ts';

const terminal = processTerminal();
// The build puts both programs and the pages into one folder.
const workerScript = fileURLToPath(new URL('row-worker.js', import.meta.url));
const pagesFolder = fileURLToPath(new URL('renderer', import.meta.url));
let wanted: ExitCode = exitCode.ok;

function codeOf(error: unknown): ExitCode {
  if (isClosedPipe(error)) return exitCode.ok;
  // Commander has printed what it has to say: help, the version, or what was wrong with the arguments.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof InterruptedError) {
    terminal.err(`${error.message}\n`);
    return exitCode.interrupted;
  }
  terminal.err(describeError(error, terminal.env['ROWBENCH_DEBUG'] === '1'));
  return error instanceof UsageError || isNoFile(error) ? exitCode.usage : exitCode.failed;
}

const program = createProgram({
  terminal,
  clock: systemClock,
  workerScript,
  pagesFolder,
  command: commandName(process.argv[1] ?? 'rowbench', process.cwd()),
  exitWith: (code) => {
    wanted = code;
  },
});

try {
  await program.parseAsync(process.argv);
} catch (error) {
  wanted = codeOf(error);
}
// Ending the process throws away what a pipe has not taken yet.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
);
process.exit(wanted);
