import { Option, type Command } from 'commander';
import { roles, type Role, type TokenView } from '../../contract/index.ts';
import { localTime } from '../../domain/format.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { UsageError } from '../exit-code.ts';
import { printable, table } from '../format.ts';

type JsonOption = DataOption & { readonly json?: boolean };
/** `expires`: ms from now. */
type CreateOptions = JsonOption & { readonly role: Role; readonly expires?: number };

const examples = `
Roles:
  viewer     sees runs, rows, outputs, workflows and settings
  operator   also starts, pauses, cancels, reruns and labels runs, and edits row sets
  admin      also imports and edits workflows, and changes trust, secrets, keys, settings and tokens

Examples:
  $ export ROWBENCH_TOKEN=rbt_…
  $ rowbench tokens create ada --role operator --expires 90d --server https://rowbench.example.org
  $ rowbench tokens list --server https://rowbench.example.org
  $ rowbench tokens revoke 0193… --server https://rowbench.example.org`;

/** `rowbench tokens`: what users of a team server sign in with. */
export function addTokensCommand(program: Command, context: CommandContext): void {
  const tokens = program
    .command('tokens')
    .summary('create, list and revoke access tokens of a team server')
    .description('Creates, lists and revokes the access tokens that users of a team server sign in with.')
    .addHelpText('after', examples);
  targeted(tokens.command('create'))
    .description('Creates a token. It is printed once, on standard output, and can never be shown again.')
    .argument('<name>', 'whose token it is')
    .addOption(new Option('--role <role>', 'what it allows').choices(roles).makeOptionMandatory())
    .addOption(
      new Option('--expires <time>', 'when it ends, such as 12h or 90d from now (default: never)').argParser(
        lifeOf,
      ),
    )
    .action((name: string, options: CreateOptions) => createToken(context, name, options));
  targeted(tokens.command('list'))
    .description('Lists the tokens: never the tokens themselves, but their last four characters.')
    .action((options: JsonOption) => listTokens(context, options));
  targeted(tokens.command('revoke'))
    .description('Revokes a token for good. Its sessions end at once.')
    .argument('<id>', 'id of the token, as in "rowbench tokens list"')
    .action((id: string, options: JsonOption) => revokeToken(context, id, options));
}

const targeted = (command: Command): Command =>
  command.addOption(serverOption()).addOption(dataOption()).addOption(jsonOption());

const hourMs = 3_600_000;

function lifeOf(text: string): number {
  const [, amount, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (amount === undefined)
    throw new UsageError(`--expires takes hours or days, such as 12h or 90d: ${text}`);
  return Number(amount) * (unit === 'h' ? hourMs : 24 * hourMs);
}

async function createToken(context: CommandContext, name: string, options: CreateOptions): Promise<void> {
  const { role, expires } = options;
  const expiry =
    expires === undefined ? {} : { expiresAt: new Date(context.clock.now() + expires).toISOString() };
  const created = await withControl(context, options, (call) =>
    call('token.create', { name, role, ...expiry }),
  );
  if (options.json === true) return printJson(context, created);
  await context.terminal.out(`${created.secret}\n`);
  context.terminal.err(
    `Token "${printable(created.token.name)}" (${role}) created. Store it now: it cannot be shown again.\n`,
  );
}

async function listTokens(context: CommandContext, options: JsonOption): Promise<void> {
  const tokens = await withControl(context, options, (call) => call('token.list', {}));
  if (options.json === true) return printJson(context, tokens);
  if (tokens.length === 0)
    return context.terminal.err(
      `No tokens yet: ${commandFor(context, 'tokens create NAME --role ROLE', options)}\n`,
    );
  const now = context.clock.now();
  await context.terminal.out(
    table(
      columns,
      tokens.map((token) => tokenRow(token, now)),
    ),
  );
}

const columns = ['ID', 'NAME', 'ROLE', 'TOKEN', 'CREATED', 'BY', 'LAST USED', 'EXPIRES', 'STATE'];

const tokenRow = (token: TokenView, now: number): string[] => [
  token.id,
  token.name,
  token.role,
  `…${token.last4}`,
  localTime(token.createdAt),
  token.createdBy ?? '–',
  token.lastUsedAt === null ? 'never' : localTime(token.lastUsedAt),
  token.expiresAt === null ? 'never' : localTime(token.expiresAt),
  stateOf(token, now),
];

function stateOf({ revokedAt, expiresAt }: TokenView, now: number): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

async function revokeToken(context: CommandContext, id: string, options: JsonOption): Promise<void> {
  const token = await withControl(context, options, (call) => call('token.revoke', { id }));
  if (options.json === true) return printJson(context, token);
  context.terminal.err(`Token "${printable(token.name)}" (…${token.last4}) revoked.\n`);
}
