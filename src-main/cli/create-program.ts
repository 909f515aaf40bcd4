import { Command } from 'commander';
import { version } from '../app/version.ts';
import { addBackupCommand } from './commands/backup-command.ts';
import { addExportCommand } from './commands/export-command.ts';
import { addGrantsCommand } from './commands/grants-command.ts';
import { addImportCommand } from './commands/import-command.ts';
import { addKeysCommand } from './commands/keys-command.ts';
import { addOpenCommand } from './commands/open-command.ts';
import { addRunCommand } from './commands/run-command.ts';
import { addRunsCommand } from './commands/runs-command.ts';
import { addSecretsCommand } from './commands/secrets-command.ts';
import { addServeCommand } from './commands/serve-command.ts';
import { addTestCommand } from './commands/test-command.ts';
import { addTrustCommand } from './commands/trust-command.ts';
import { addValidateCommand } from './commands/validate-command.ts';
import { addWorkflowsCommand } from './commands/workflows-command.ts';
import type { CommandContext } from './context.ts';

const afterHelp = `
Exit codes: 0 done · 1 failed (a failed run or test, an invalid file, an error) · 2 wrong usage, or no such file or folder
            130 interrupted · 137 killed

Environment:
  ROWBENCH_DATA      data folder, where --data names none
  ROWBENCH_API_KEY   one fixed key for "rowbench serve"
  ROWBENCH_DEBUG=1   errors with their stack
  ROWBENCH_SECRET_NAME, ROWBENCH_SECRET_NAME_HOST
                     the value of the secret NAME for "serve" and "run", and the hosts it may be sent to`;

/** The whole command line. Nothing has been read or started when it returns. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('rowbench')
    .description('Runs workflows on this machine, behind exactly the HTTP interface of the hosted service.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', afterHelp)
    .exitOverride()
    // An argument may be the name of a file that others chose.
    .configureOutput({
      writeOut: (text) => void context.terminal.out(text),
      writeErr: (text) => context.terminal.err(text),
    });
  addServeCommand(program, context);
  addOpenCommand(program, context);
  addRunCommand(program, context);
  addTestCommand(program, context);
  addValidateCommand(program, context);
  addImportCommand(program, context);
  addWorkflowsCommand(program, context);
  addTrustCommand(program, context);
  addGrantsCommand(program, context);
  addSecretsCommand(program, context);
  addKeysCommand(program, context);
  addRunsCommand(program, context);
  addExportCommand(program, context);
  addBackupCommand(program, context);
  pointAtHelp(program, 'rowbench');
  return program;
}

/** Points usage errors of each subcommand at that subcommand's own help. */
function pointAtHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see "${name} --help")`);
  for (const each of command.commands) pointAtHelp(each, `${name} ${each.name()}`);
}
