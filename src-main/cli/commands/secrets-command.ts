import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { SecretView } from '../../contract/index.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { localTime } from '../../domain/format.ts';
import { table } from '../format.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = DataOption & { readonly json?: boolean };
type SetOptions = Options & { readonly host: readonly string[] };

const examples = `
The value is typed when it is asked for, or comes through standard input; it is never shown again.
A workflow names the secret (auth: { secret: CRM_TOKEN }), and it is sent to these hosts alone. A host without a port
is called with https; for http the port is named too, as in host:80.

Examples:
  $ rowbench secrets set CRM_TOKEN --host api.example.com
  $ rowbench secrets set LOCAL_MODEL --host 127.0.0.1:11434 < token.txt
  $ rowbench secrets list`;

/** `rowbench secrets`: what calls prove themselves with. */
export function addSecretsCommand(program: Command, context: CommandContext): void {
  const secrets = program
    .command('secrets')
    .summary('store, list and remove credentials for calls to other services')
    .description('Stores, lists and removes the secrets that calls send along.')
    .addHelpText('after', examples);
  secrets
    .command('set')
    .description('Stores a secret, in place of one of that name. Asks for the value.')
    .argument('<name>', 'capital letters, digits and "_"')
    .requiredOption('--host <host...>', 'where it may be sent: host (https alone), or host:port')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((name: string, options: SetOptions) => setSecret(context, name, options));
  secrets
    .command('list')
    .description('Lists the secrets: their names and hosts, never their values.')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((options: Options) => listSecrets(context, options));
  secrets
    .command('remove')
    .description('Removes a secret; the next call that names it fails.')
    .argument('<name>', 'name of the secret')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((name: string, options: Options) => removeSecret(context, name, options));
}

async function setSecret(context: CommandContext, name: string, options: SetOptions): Promise<void> {
  const value = await readSecretValue(context.terminal, `Value of ${name} (not shown): `);
  const newSecret = { name, hosts: [...options.host], value };
  const secret = await withControl(context, { ...options, makesFolder: true }, (call) =>
    call('secret.set', newSecret),
  );
  if (options.json === true) return printJson(context, secret);
  context.terminal.err(`Secret ${secret.name} stored. It is sent to ${secret.hosts.join(', ')} alone.\n`);
}

/**
 * The value of a secret: typed without echo, or the one line of standard input. Never an argument of the command:
 * every process of the machine can read arguments, and the shell keeps them.
 */
async function readSecretValue({ askHidden }: Terminal, question: string): Promise<string> {
  const line = askHidden === undefined ? await text(process.stdin) : await askHidden(question);
  return line.replace(/\r?\n$/, '');
}

async function listSecrets(context: CommandContext, options: Options): Promise<void> {
  const secrets = await withControl(context, options, (call) => call('secret.list', {}));
  if (options.json === true) return printJson(context, secrets);
  if (secrets.length === 0)
    return context.terminal.err(
      `No secrets yet: ${commandFor(context, 'secrets set NAME --host HOST', options)}\n`,
    );
  await context.terminal.out(table(['NAME', 'HOSTS', 'STORED'], secrets.map(secretRow)));
}

const secretRow = ({ name, hosts, createdAt }: SecretView): string[] => [
  name,
  hosts.join(', '),
  createdAt === null ? 'in the environment' : localTime(createdAt),
];

async function removeSecret(context: CommandContext, name: string, options: Options): Promise<void> {
  const secret = await withControl(context, options, (call) => call('secret.remove', { name }));
  if (options.json === true) return printJson(context, secret);
  context.terminal.err(`Secret ${secret.name} removed.\n`);
}
