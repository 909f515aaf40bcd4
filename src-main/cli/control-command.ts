// What the commands that look into a data folder have in common: the folder's option, and a call that goes to
// the server that has the folder, or else opens it here.
import { Option } from 'commander';
import { openControl } from '../app/connect.ts';
import type { Call } from '../contract/index.ts';
import type { CommandContext } from './context.ts';
import { dataDirOf, type DataOption } from './data-option.ts';

export const jsonOption = (): Option => new Option('--json', 'print JSON');

/** Opens the folder's control, uses it and closes it whatever happens. */
export async function withControl<T>(
  context: CommandContext,
  options: DataOption,
  use: (call: Call) => Promise<T>,
): Promise<T> {
  const control = await openControl(dataDirOf(context, options), context.workerScript);
  try {
    return await use(control.call);
  } finally {
    await control.close();
  }
}
