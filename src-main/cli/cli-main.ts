#!/usr/bin/env node
// The `rowbench` command: runs the command that the arguments name, and ends with its exit code.
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/system-clock.ts';
import { runProgram, commandName } from './run-program.ts';
import { processTerminal } from './terminal/terminal.ts';

const code = await runProgram(process.argv.slice(2), {
  terminal: processTerminal(),
  clock: systemClock,
  // The build puts both programs and the pages into one folder.
  workerScript: fileURLToPath(new URL('row-worker.cjs', import.meta.url)),
  pagesFolder: fileURLToPath(new URL('renderer', import.meta.url)),
  command: commandName(process.argv[1] ?? 'rowbench', process.cwd()),
});
// Ending the process throws away what a pipe has not taken yet.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
);
process.exit(code);
