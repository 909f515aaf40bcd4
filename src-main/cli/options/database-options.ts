// Options of the commands that use the database of a team. Its address is in the environment alone: other users of the
// machine can see a command line.
import { availableParallelism, hostname } from 'node:os';
import { Option } from 'commander';
import type { TeamBackendOptions } from '../../app/team/open-team-backend.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../exit-code.ts';

export type DatabaseFlags = {
  readonly database?: boolean;
  readonly slots?: number;
  readonly name?: string;
};

const maxSlots = 64;

export const databaseOptions = (): readonly Option[] => [
  new Option(
    '--database',
    'use the database of a team, at the address in ROWBENCH_DATABASE_URL, in place of a data folder',
  ),
  new Option(
    '--slots <number>',
    'with a database: parts of runs that are executed here at the same time; 0 leaves them to workers (default: one more than there are cores)',
  ).argParser(parseSlots),
  new Option(
    '--name <name>',
    'with a database: what others see of this process (default: the name of the machine)',
  ),
];

/** Options of a team; undefined without `--database`. Throws a `UsageError`. */
export function teamOf(
  { terminal: { env } }: CommandContext,
  { database, slots, name }: DatabaseFlags,
): TeamBackendOptions | undefined {
  if (database !== true) {
    const flag = slots === undefined ? name && '--name' : '--slots';
    if (flag !== undefined) throw new UsageError(`${flag} needs --database`);
    return undefined;
  }
  return {
    environment: env,
    name: name ?? hostname(),
    slots: slots ?? availableParallelism() + 1,
    secretKeyFile: env['ROWBENCH_SECRET_KEY_FILE'],
  };
}

function parseSlots(text: string): number {
  const slots = Number(text);
  if (!/^\d+$/.test(text) || slots > maxSlots)
    throw new UsageError(`--slots must be a number from 0 to ${maxSlots}, not "${text}"`);
  return slots;
}
