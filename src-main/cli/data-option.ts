import { resolve } from 'node:path';
import { Option } from 'commander';
import { defaultDataDir } from '../app/default-data-dir.ts';
import type { CommandContext } from './context.ts';

export type DataOption = { readonly data?: string };

/** `--data DIR`, for every command that looks into a data folder. */
export const dataOption = (): Option =>
  new Option('--data <dir>', "data folder (default: $ROWBENCH_DATA, else the platform's own place)");

/** A command of this program to type, for the data folder that the running one was given. */
export const commandFor = ({ command }: CommandContext, words: string, { data }: DataOption): string =>
  `${command} ${words}${data === undefined ? '' : ` --data "${data}"`}`;

/** The folder named on the command line, else by ROWBENCH_DATA, else the platform's place for such data. */
export const dataDirOf = ({ terminal }: CommandContext, { data }: DataOption): string =>
  resolve(data ?? (terminal.env['ROWBENCH_DATA'] || defaultDataDir()));
