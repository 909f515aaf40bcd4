// Shared parts of the commands that look into a data folder: the folder's option, and a call. The call goes to a team
// server that is named, or to the server that holds the folder, or else opens the folder here.
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { openControl, openTeamControl, type Control } from '../app/connect.ts';
import { dataFolderMissing } from '../domain/store-errors.ts';
import type { CommandContext } from './context.ts';
import { commandFor, dataDirOf, type DataOption } from './options/data-option.ts';
import { UsageError } from './exit-code.ts';
import { plainLog } from './terminal/plain-log.ts';

export const jsonOption = (): Option => new Option('--json', 'print JSON');

type Access = DataOption & {
  /** Folders with workflow files, for where no server runs. */
  readonly workflows?: readonly string[];
  /** True if a missing folder is created; otherwise it is an error. */
  readonly makesFolder?: boolean;
  /** True if runs at hosted services are sent and followed where no server runs. */
  readonly sendsHosted?: boolean;
  /** How long one call may take, in place of the usual time. */
  readonly timeoutMs?: number;
};

/** Opens the control of the server or folder, uses it and closes it whatever happens. */
export async function withControl<T>(
  context: CommandContext,
  options: Access,
  use: (call: Control['call'], control: Control) => Promise<T>,
): Promise<T> {
  const control = await openTarget(context, options);
  try {
    return await use(control.call, control);
  } finally {
    await control.close();
  }
}

async function openTarget(context: CommandContext, options: Access): Promise<Control> {
  if (options.server !== undefined) {
    const [url, token] = teamServer(context, options.server);
    return openTeamControl({ url, token, timeoutMs: options.timeoutMs });
  }
  if (options.makesFolder !== true) await assertThere(context, options);
  return openControl({
    dataDir: dataDirOf(context, options),
    workerScript: context.workerScript,
    workflowFolders: options.workflows ?? [],
    log: plainLog(context.terminal),
    sendsHosted: options.sendsHosted,
  });
}

/** Origin and access token. Throws a UsageError for an address over which the token must not go. */
function teamServer({ terminal }: CommandContext, server: string): [string, string] {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !isSafeOrigin(url))
    throw new UsageError(
      '--server takes the address of a server, such as https://rowbench.example.org. Other than on this machine, it must be https',
    );
  const token = terminal.env['ROWBENCH_TOKEN'] ?? '';
  if (token === '') throw new UsageError('Set ROWBENCH_TOKEN to an access token of the server');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('ROWBENCH_TOKEN is not an access token');
  return [url.origin, token];
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** True if only the server can read what is sent there, and the address has nothing but the origin. */
function isSafeOrigin({ protocol, hostname, origin, href }: URL): boolean {
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
  return isPrivate && href === `${origin}/`;
}

/** Throws a UsageError where there is no folder: one made here would hide a mistyped name. */
export async function assertThere(context: CommandContext, options: DataOption): Promise<void> {
  const dataDir = dataDirOf(context, options);
  const found = await stat(dataDir).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new UsageError(dataFolderMissing(dataDir, commandFor(context, 'serve', options)).message);
}
