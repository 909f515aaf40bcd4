import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted, localTime } from '../../domain/format.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption } from '../control-command.ts';
import { exitCode } from '../exit-code.ts';
import { table } from '../format.ts';
import { plainLog } from '../terminal/plain-log.ts';

type Options = { readonly json?: boolean };
type MigrateOptions = Options & {
  readonly serverRole?: string;
  readonly workerRole?: string;
  readonly secretKeyFile?: string;
};

const help = `
The database's address is in ROWBENCH_DATABASE_URL. An address of another machine needs sslmode=verify-full.

Examples:
  $ export ROWBENCH_DATABASE_URL='postgres://owner@db.internal/rowbench?sslmode=verify-full'
  $ rowbench database migrate --server-role rowbench_server --worker-role rowbench_worker \\
      --secret-key-file /etc/rowbench/secret.key
  $ rowbench database status`;

/** `rowbench database`: the database of a team. */
export function addDatabaseCommand(program: Command, context: CommandContext): void {
  const database = program
    .command('database')
    .summary('prepare and look at the database of a team')
    .description(
      'Prepares the PostgreSQL database that the servers and workers of a team share, and looks at it.',
    )
    .addHelpText('after', help);
  database
    .command('migrate')
    .description(
      'Creates the tables, or brings those of an earlier version up to date. The first time it prints an access\n' +
        'token for the first admin, which is never shown again.',
    )
    .option('--server-role <name>', 'let this role do what servers need: change data, but no table')
    .option('--worker-role <name>', 'let this role do what workers need: run rows, but read no key or token')
    .option('--secret-key-file <path>', 'file of the key that seals secrets; created if there is none')
    .addOption(jsonOption())
    .action((options: MigrateOptions) => migrate(context, options));
  database
    .command('status')
    .description('Shows the format of the tables, the servers and workers, and the length of the queue.')
    .addOption(jsonOption())
    .action((options: Options) => showStatus(context, options));
}

const heads = ['NAME', 'KIND', 'VERSION', 'SLOTS', 'LAST SEEN'];

const depsOf = ({ terminal }: CommandContext) => ({ environment: terminal.env, log: plainLog(terminal) });

async function migrate(
  context: CommandContext,
  { json, secretKeyFile, ...roles }: MigrateOptions,
): Promise<void> {
  const { terminal } = context;
  const { migrateTeamDatabase } = await import('../../app/team/database-commands.ts');
  const keyFile = secretKeyFile === undefined ? undefined : resolve(secretKeyFile);
  const migrated = await migrateTeamDatabase(depsOf(context), { ...roles, secretKeyFile: keyFile });
  if (json === true) return printJson(context, migrated);
  const { from, to, hasNewKey, token } = migrated;
  terminal.err(
    from === to ? `The database is up to date (format ${to}).\n` : `The database now has format ${to}.\n`,
  );
  if (roles.serverRole !== undefined) terminal.err(`Servers may use the role ${roles.serverRole}.\n`);
  if (roles.workerRole !== undefined) terminal.err(`Workers may use the role ${roles.workerRole}.\n`);
  if (hasNewKey)
    terminal.err(
      `Created ${keyFile}. Copy it to each machine of the team, and back it up: without it no secret opens.\n`,
    );
  if (token === undefined) return;
  terminal.err('Access token of the first admin, shown only now:\n');
  await terminal.out(`${token}\n`, 'data');
}

async function showStatus(context: CommandContext, { json }: Options): Promise<void> {
  const { terminal, exitWith } = context;
  const { showDatabaseStatus } = await import('../../app/team/database-commands.ts');
  const status = await showDatabaseStatus(depsOf(context));
  const { format, knownFormat, servers, waiting, running } = status;
  if (format !== knownFormat) exitWith(exitCode.failed);
  if (json === true) return printJson(context, status);
  const due = format < knownFormat ? ': run rowbench database migrate' : ': use a newer version of Rowbench';
  await terminal.out(
    `Format ${format}${format === knownFormat ? '' : `, this version needs ${knownFormat}${due}`}\n` +
      `${counted(waiting, 'segment')} waiting, ${running} running\n`,
    'data',
  );
  const rows = servers.map(({ name, kind, version, slots, seenAt, isSilent }) => [
    name,
    kind,
    version,
    String(slots),
    isSilent ? `not heard from since ${localTime(seenAt)}` : localTime(seenAt),
  ]);
  await terminal.out(servers.length === 0 ? 'No server or worker yet.\n' : table(heads, rows), 'data');
}
