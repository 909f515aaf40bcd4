import { Command } from 'commander';
import { version } from '../base/version.ts';
import type { CommandContext } from './context.ts';

type AddCommand = (program: Command, context: CommandContext) => void;

/** By name, in the order of the help. Each is loaded when it is added: together they load all of Rowbench. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./commands/serve-command.ts')).addServeCommand,
  work: async () => (await import('./commands/work-command.ts')).addWorkCommand,
  open: async () => (await import('./commands/open-command.ts')).addOpenCommand,
  run: async () => (await import('./commands/run-command.ts')).addRunCommand,
  test: async () => (await import('./commands/test-command.ts')).addTestCommand,
  new: async () => (await import('./commands/new-command.ts')).addNewCommand,
  validate: async () => (await import('./commands/validate-command.ts')).addValidateCommand,
  import: async () => (await import('./commands/import-command.ts')).addImportCommand,
  workflows: async () => (await import('./commands/workflows-command.ts')).addWorkflowsCommand,
  trust: async () => (await import('./commands/trust-command.ts')).addTrustCommand,
  grants: async () => (await import('./commands/grants-command.ts')).addGrantsCommand,
  secrets: async () => (await import('./commands/secrets-command.ts')).addSecretsCommand,
  hosted: async () => (await import('./commands/hosted-command.ts')).addHostedCommand,
  keys: async () => (await import('./commands/keys-command.ts')).addKeysCommand,
  tokens: async () => (await import('./commands/tokens-command.ts')).addTokensCommand,
  audit: async () => (await import('./commands/audit-command.ts')).addAuditCommand,
  runs: async () => (await import('./commands/runs-command.ts')).addRunsCommand,
  export: async () => (await import('./commands/export-command.ts')).addExportCommand,
  publish: async () => (await import('./commands/publish-command.ts')).addPublishCommand,
  database: async () => (await import('./commands/database-command.ts')).addDatabaseCommand,
  backup: async () => (await import('./commands/backup-command.ts')).addBackupCommand,
};

const afterHelp = `
Exit codes: 0 done · 1 failed (a failed run or test, an invalid file, an error) · 2 wrong usage, or no such file or folder
            130 interrupted · 137 killed

Environment:
  ROWBENCH_DATA      data folder, where --data names none
  ROWBENCH_API_KEY   one fixed key for "rowbench serve"
  ROWBENCH_TOKEN     access token for --server
  ROWBENCH_DATABASE_URL
                     address of a team's database, for "rowbench database" and "publish"
  ROWBENCH_DEBUG=1   errors with their stack
  ROWBENCH_SECRET_NAME, ROWBENCH_SECRET_NAME_HOST
                     the value of the secret NAME for "serve" and "run", and the hosts it may be sent to`;

/**
 * The command line as these arguments need it: the command that they name, or all for help and for a misspelt name.
 * Nothing has been read or started when it resolves.
 */
export async function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
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
  for (const load of commandsFor(args)) (await load())(program, context);
  pointAtHelp(program, 'rowbench');
  return program;
}

function commandsFor([first = '']: readonly string[]): readonly (() => Promise<AddCommand>)[] {
  if (first === '--version') return [];
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

/** Points usage errors of each subcommand at that subcommand's own help. */
function pointAtHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see "${name} --help")`);
  for (const each of command.commands) pointAtHelp(each, `${name} ${each.name()}`);
}
