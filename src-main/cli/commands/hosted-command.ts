// `rowbench hosted`: connections to hosted services.
import { text } from 'node:stream/consumers';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { HostedConnectionView } from '../../contract/index.ts';
import { defaultSharePercent, parseMatch, type MatchFields } from '../../domain/hosted/hosted-connection.ts';
import { connectionTestText } from '../../domain/hosted/hosted-text.ts';
import { hostedOrigin } from '../../services/runs/hosted/hosted-origin.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { printable, table } from '../format.ts';
import { commandFor, dataOption, type DataOption } from '../options/data-option.ts';
import { addRecordCommand } from './hosted-record-command.ts';
import { addHostedRunCommands } from './hosted-run-command.ts';

type Options = DataOption & { readonly json?: boolean };
type AddOptions = Options & {
  readonly url: string;
  readonly header: string;
  readonly match?: MatchFields;
  readonly share: number;
  readonly lan?: boolean;
};

const examples = `
A connection has the address of the service, the name of the header that carries the key, and the key. The key is typed when
it is asked for, or comes through standard input; it is sent to this address alone and is never shown again.

Examples:
  $ rowbench hosted add prod --url https://api.example.com --header x-acme-key
  $ rowbench hosted test prod wf_8123
  $ rowbench hosted run wf_8123 --on prod --rows leads.csv
  $ rowbench hosted list`;

export function addHostedCommand(program: Command, context: CommandContext): void {
  const hosted = program
    .command('hosted')
    .summary('connect a hosted service, and run rows there')
    .description('Connects hosted services, and runs rows at them. Built from their interface document.')
    .addHelpText('after', examples);
  addAdd(hosted, context);
  subcommand(hosted, 'list')
    .description('Lists the connections, and how far their limits are used up.')
    .action((options: Options) => listConnections(context, options));
  subcommand(hosted, 'test')
    .description('Makes two calls that start nothing: with the key, and without it.')
    .argument('<name>', 'name of the connection')
    .argument('<workflow>', 'id of a workflow at the service')
    .action((name: string, workflowId: string, options: Options) =>
      testConnection(context, { name, workflowId }, options),
    );
  subcommand(hosted, 'remove')
    .description('Removes a connection and its key.')
    .argument('<name>', 'name of the connection')
    .action((name: string, options: Options) => removeConnection(context, name, options));
  addHostedRunCommands(hosted, context);
  addRecordCommand(hosted, context);
}

const subcommand = (hosted: Command, name: string): Command =>
  hosted.command(name).addOption(dataOption()).addOption(jsonOption());

function addAdd(hosted: Command, context: CommandContext): void {
  subcommand(hosted, 'add')
    .description('Adds a connection. Asks for the key.')
    .argument('<name>', 'lower-case letters, digits and "-", such as prod')
    .requiredOption('--url <origin>', 'address of the service, such as https://api.example.com')
    .requiredOption('--header <name>', 'header that carries the key')
    .addOption(
      new Option(
        '--match <fields>',
        'fields that have the same value in a row and its output: output.id=input.id',
      ).argParser(matchOf),
    )
    .addOption(
      new Option('--share <percent>', "share of the key's limits that Rowbench uses")
        .argParser(shareOf)
        .default(defaultSharePercent, `${defaultSharePercent}%`),
    )
    .option('--lan', 'the service may be in the local network')
    .action((name: string, options: AddOptions) => addConnection(context, name, options));
}

function matchOf(written: string): MatchFields {
  const fields = parseMatch(written);
  if (fields === undefined) throw new InvalidArgumentError('It must be like output.id=input.id.');
  return fields;
}

function shareOf(written: string): number {
  const percent = Number(/^(\d{1,3})%?$/.exec(written)?.[1] ?? NaN);
  if (!(percent >= 1 && percent <= 100)) throw new InvalidArgumentError('It must be 1% to 100%.');
  return percent;
}

async function addConnection(
  context: CommandContext,
  name: string,
  { url, header, match, share, lan, ...options }: AddOptions,
): Promise<void> {
  const described = {
    sharePercent: share,
    ...(match === undefined ? {} : { match }),
    ...(lan === true ? { isLan: true as const } : {}),
  };
  // A user does not type a key for an address that is refused.
  const key = await keyFor(context, hostedOrigin(url));
  const added = await withControl(context, { ...options, makesFolder: true }, (call) =>
    call('hosted.add', { name, url, header, key, ...described }),
  );
  if (options.json === true) return printJson(context, added);
  const { terminal } = context;
  const test = commandFor(context, `hosted test ${name} WORKFLOW`, options);
  terminal.err(`Connection ${name} added: the key is sent to ${added.origin} alone. Try it: ${test}\n`);
}

/** Throws a UsageError for no key. */
async function keyFor({ terminal }: CommandContext, origin: string): Promise<string> {
  const ask = terminal.askHidden;
  const typed = ask === undefined ? await text(process.stdin) : await ask(`Key for ${origin} (not shown): `);
  const key = typed.replace(/\r?\n$/, '');
  if (key === '') throw new UsageError('The key is missing: type it, or send it through standard input');
  return key;
}

async function listConnections(context: CommandContext, options: Options): Promise<void> {
  const connections = await withControl(context, options, (call) => call('hosted.list', {}));
  if (options.json === true) return printJson(context, connections);
  if (connections.length === 0) {
    const add = commandFor(context, 'hosted add NAME --url URL --header HEADER', options);
    return context.terminal.err(`No hosted services yet: ${add}\n`);
  }
  await context.terminal.out(table(columns, connections.map(connectionRow)));
}

const columns = ['NAME', 'ADDRESS', 'HEADER', 'MATCH', 'SHARE', 'CALLS OF THE LAST MINUTE'];

const connectionRow = (connection: HostedConnectionView): string[] => [
  connection.name,
  connection.origin,
  connection.header,
  connection.match === undefined ? '' : `output.${connection.match.output}=input.${connection.match.input}`,
  `${connection.sharePercent}%${connection.isHalved === true ? ' (halved: rate limited)' : ''}`,
  connection.meters.map(({ limit, used, of }) => `${limit} ${used}/${of}`).join(', '),
];

async function testConnection(
  context: CommandContext,
  target: { readonly name: string; readonly workflowId: string },
  options: Options,
): Promise<void> {
  const tested = await withControl(context, options, (call) => call('hosted.test', target));
  if (tested.problem !== undefined) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, tested);
  const lines = connectionTestText(tested).map(([name, value]) => `${name.padEnd(10)}${printable(value)}\n`);
  await context.terminal.out(lines.join(''));
}

async function removeConnection(context: CommandContext, name: string, options: Options): Promise<void> {
  const removed = await withControl(context, options, (call) => call('hosted.remove', { name }));
  if (options.json === true) return printJson(context, removed);
  context.terminal.err(`Connection ${removed.name} removed, with its key.\n`);
}
