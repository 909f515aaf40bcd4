// Shared parts of the commands that look into a data folder: the folder's option, and a call. The call goes to the
// server that holds the folder, or else opens the folder here.
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { openControl, type Control } from '../app/connect.ts';
import { dataFolderMissing } from '../domain/store-errors.ts';
import type { CommandContext } from './context.ts';
import { commandFor, dataDirOf, type DataOption } from './data-option.ts';
import { UsageError } from './exit-code.ts';
import { plainLog } from './plain-log.ts';

export const jsonOption = (): Option => new Option('--json', 'print JSON');

type Access = DataOption & {
  /** Folders with workflow files, for where no server runs. */
  readonly workflows?: readonly string[];
  /** True if a missing folder is created; otherwise it is an error. */
  readonly makesFolder?: boolean;
};

/** Opens the folder's control, uses it and closes it whatever happens. */
export async function withControl<T>(
  context: CommandContext,
  options: Access,
  use: (call: Control['call'], control: Control) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirOf(context, options);
  if (options.makesFolder !== true) await assertThere(context, options);
  const control = await openControl({
    dataDir,
    workerScript: context.workerScript,
    workflowFolders: options.workflows ?? [],
    log: plainLog(context.terminal),
  });
  try {
    return await use(control.call, control);
  } finally {
    await control.close();
  }
}

/** Throws a UsageError where there is no folder: one made here would hide a mistyped name. */
export async function assertThere(context: CommandContext, options: DataOption): Promise<void> {
  const dataDir = dataDirOf(context, options);
  const found = await stat(dataDir).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new UsageError(dataFolderMissing(dataDir, commandFor(context, 'serve', options)).message);
}
