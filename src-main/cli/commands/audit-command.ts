import { Option, type Command } from 'commander';
import type { AuditRecord } from '../../contract/index.ts';
import { localTime } from '../../domain/format.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { UsageError } from '../exit-code.ts';
import { table } from '../format.ts';

type AuditOptions = DataOption & {
  readonly json?: boolean;
  readonly limit: number;
  readonly before?: string;
};

const maxLimit = 1_000;

const examples = `
Examples:
  $ rowbench audit --server https://rowbench.example.org
  $ rowbench audit --limit 1000 --before 0193… --json --server https://rowbench.example.org`;

/** `rowbench audit`: what users of a team server changed. */
export function addAuditCommand(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .summary('list what users of a team server changed')
    .description('Lists the changes that users of a team server made or were refused, newest first.')
    .addHelpText('after', examples)
    .addOption(new Option('--limit <n>', 'how many at most').argParser(limitOf).default(100))
    .option('--before <id>', 'only changes that are older than the one with this id')
    .addOption(serverOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((options: AuditOptions) => listChanges(context, options));
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new UsageError(`--limit takes a number from 1 to ${maxLimit}: ${text}`);
  return limit;
}

async function listChanges(context: CommandContext, options: AuditOptions): Promise<void> {
  const { limit, before } = options;
  const query = { limit, ...(before === undefined ? {} : { before }) };
  const records = await withControl(context, options, (call) => call('audit.list', query));
  if (options.json === true) return printJson(context, records);
  if (records.length === 0) return context.terminal.err('No changes are recorded.\n');
  await context.terminal.out(table(columns, records.map(recordRow)));
}

const columns = ['WHEN', 'TOKEN', 'ROLE', 'CHANGE', 'SUBJECT', 'OUTCOME', 'ID'];

const recordRow = (record: AuditRecord): string[] => [
  localTime(record.at),
  record.tokenName,
  record.role,
  record.procedure,
  Object.entries(record.subject)
    .map(([kind, id]) => `${kind}=${id}`)
    .join(' '),
  record.outcome,
  record.id,
];
