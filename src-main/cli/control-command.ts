// What the commands that look into a data folder have in common: the folder's option, and a call that goes to
// the server that has the folder, or else opens it here.
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { AppError } from '../base/app-error.ts';
import { openControl } from '../app/connect.ts';
import type { Call } from '../contract/index.ts';
import type { CommandContext } from './context.ts';
import { dataDirOf, type DataOption } from './data-option.ts';

export const jsonOption = (): Option => new Option('--json', 'print JSON');

/** Opens the folder's control, uses it and closes it whatever happens. */
export async function withControl<T>(
  context: CommandContext,
  options: DataOption & { readonly makesFolder?: boolean },
  use: (call: Call) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirOf(context, options);
  if (options.makesFolder !== true) await assertThere(dataDir);
  const control = await openControl(dataDir, context.workerScript);
  try {
    return await use(control.call);
  } finally {
    await control.close();
  }
}

/** Looking into a folder must not make it: a mistyped name would look like a folder with nothing in it. */
async function assertThere(dataDir: string): Promise<void> {
  const found = await stat(dataDir).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new AppError('invalid_input', `There is no data folder ${dataDir}. "rowbench serve" makes one`);
}
