import type { Command } from 'commander';
import type { KeyView } from '../../contract/index.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { count, localTime } from '../../domain/format.ts';
import { printable, table } from '../format.ts';

type JsonOption = DataOption & { readonly json?: boolean };
type CreateOptions = JsonOption & { readonly name: string; readonly workflow?: readonly string[] };

const examples = `
Examples:
  $ rowbench keys create --name "nightly import"
  $ KEY=$(rowbench keys create --name ci --workflow score-leads)
  $ rowbench keys revoke 0193…`;

/** `rowbench keys`: the keys that open the HTTP interface. */
export function addKeysCommand(program: Command, context: CommandContext): void {
  const keys = program
    .command('keys')
    .summary('create, list and revoke API keys')
    .description('Creates, lists and revokes the keys that open the HTTP interface.')
    .addHelpText('after', examples);
  keys
    .command('create')
    .description('Creates a key. The key is printed once, on standard output, and can never be shown again.')
    .requiredOption('--name <name>', 'what to recognise the key by')
    .option('--workflow <id...>', 'open these workflows only (default: all)')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((options: CreateOptions) => createKey(context, options));
  keys
    .command('list')
    .description('Lists the keys: never the keys themselves, but their last four characters.')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((options: JsonOption) => listKeys(context, options));
  keys
    .command('revoke')
    .description('Revokes a key for good; the next call with it is refused.')
    .argument('<id>', 'id of the key, as in "rowbench keys list"')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((id: string, options: JsonOption) => revokeKey(context, id, options));
}

async function createKey(context: CommandContext, options: CreateOptions): Promise<void> {
  const newKey = { name: options.name, workflows: options.workflow ? [...options.workflow] : null };
  const { created, unknown } = await withControl(context, { ...options, makesFolder: true }, async (call) => {
    const answer = await call('key.create', newKey);
    const workflowIds = newKey.workflows ?? [];
    const known = workflowIds.length === 0 ? [] : (await call('workflow.list', {})).map(({ id }) => id);
    return { created: answer, unknown: workflowIds.filter((id) => !known.includes(id)) };
  });
  for (const id of unknown) {
    context.terminal.err(`warning: no workflow file with the id "${id}" is known here\n`);
  }
  if (options.json === true) return printJson(context, created);
  await context.terminal.out(`${created.secret}\n`);
  context.terminal.err(
    `Key "${printable(created.key.name)}" created. Store it now: it cannot be shown again.\n`,
  );
}

async function listKeys(context: CommandContext, options: JsonOption): Promise<void> {
  const keys = await withControl(context, options, (call) => call('key.list', {}));
  if (options.json === true) return printJson(context, keys);
  if (keys.length === 0)
    return context.terminal.err(`No keys yet: ${commandFor(context, 'keys create --name NAME', options)}\n`);
  await context.terminal.out(table(columns, keys.map(keyRow)));
}

const columns = ['ID', 'NAME', 'KEY', 'WORKFLOWS', 'CREATED', 'LAST USED', 'CALLS', 'STATE'];

const keyRow = (key: KeyView): string[] => [
  key.id,
  key.name,
  `…${key.last4}`,
  key.workflows?.join(', ') ?? 'all',
  localTime(key.createdAt),
  key.lastUsedAt === null ? 'never' : localTime(key.lastUsedAt),
  count(key.calls),
  key.revokedAt === null ? 'active' : 'revoked',
];

async function revokeKey(context: CommandContext, id: string, options: JsonOption): Promise<void> {
  const key = await withControl(context, options, (call) => call('key.revoke', { id }));
  if (options.json === true) return printJson(context, key);
  context.terminal.err(`Key "${printable(key.name)}" (…${key.last4}) revoked.\n`);
}
