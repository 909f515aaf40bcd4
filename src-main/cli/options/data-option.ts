import { resolve } from 'node:path';
import { Option } from 'commander';
import { defaultDataDir } from '../../app/default-data-dir.ts';
import type { CommandContext } from '../context.ts';

export type DataOption = {
  readonly data?: string;
  /** Origin of a team server, which is asked instead of a data folder. */
  readonly server?: string;
};

/** `--data DIR`, for every command that looks into a data folder. */
export const dataOption = (): Option =>
  new Option('--data <dir>', "data folder (default: $ROWBENCH_DATA, else the platform's own place)");

/** `--server URL`, for every command that needs nothing but a server's control API. */
export const serverOption = (): Option =>
  new Option('--server <url>', 'team server to ask, with the access token in $ROWBENCH_TOKEN').conflicts(
    'data',
  );

/** A command of this program to type, for the data folder or server that the running one was given. */
export const commandFor = (
  { command }: CommandContext,
  words: string,
  { data, server }: DataOption,
): string => {
  if (server !== undefined) return `${command} ${words} --server "${server}"`;
  return `${command} ${words}${data === undefined ? '' : ` --data "${data}"`}`;
};

/** The folder named on the command line, else by ROWBENCH_DATA, else the platform's place for such data. */
export const dataDirOf = ({ terminal }: CommandContext, { data }: DataOption): string =>
  resolve(data ?? (terminal.env['ROWBENCH_DATA'] || defaultDataDir()));
