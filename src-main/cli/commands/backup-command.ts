import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUpRunsOf, removePartialBackup } from '../../app/read-stored-run.ts';
import type { CommandContext } from '../context.ts';
import { assertThere } from '../control-command.ts';
import { dataDirOf, dataOption, type DataOption } from '../options/data-option.ts';
import { byteSize } from '../../domain/format.ts';
import { untilKilled } from '../terminal/interrupt.ts';
import { plainLog } from '../terminal/plain-log.ts';

const help = `
The backup holds runs, their rows and outputs, and row sets. Settings, keys, secrets and workflow files are
files of their own in the data folder: copy those as well.

To restore, copy the backup into a new data folder as rowbench.db, then start with that folder. Never copy it
over a rowbench.db that is there: what lies beside that file belongs to it.

Examples:
  $ rowbench backup rowbench-monday.db
  $ mkdir restored && cp rowbench-monday.db restored/rowbench.db && rowbench serve --data restored`;

/** `rowbench backup FILE`: copies the stored runs into one file. A server may be running. */
export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .summary('copy all stored runs into one file')
    .description('Copies all stored runs and row sets into one new file. Works while a server runs.')
    .argument('<file>', 'the file to write; it must not exist')
    .addOption(dataOption())
    .addHelpText('after', help)
    .action(async (file: string, options: DataOption) => {
      const { terminal, clock, workerScript } = context;
      const dataDir = dataDirOf(context, options);
      await assertThere(context, options);
      const to = resolve(file);
      const bytes = await untilKilled(
        () => removePartialBackup(to),
        () => backUpRunsOf(dataDir, to, { workerScript, clock, log: plainLog(terminal) }),
      );
      terminal.err(`${byteSize(bytes)} written to ${file}\n`);
    });
}
