// Connects the command line to the server that has the data folder, or opens the folder itself if none runs.
import type { Log } from '../base/log.ts';
import type { Call } from '../contract/index.ts';
import { isoTime } from '../base/clock.ts';
import { systemClock } from '../base/system-clock.ts';
import { teamServerSilent } from '../domain/access-errors.ts';
import { noServer } from '../domain/request-errors.ts';
import { readServerInfo } from '../storage/documents/server-info-file.ts';
import { createControlClient, type ControlClientOptions } from './control-client.ts';

export type Control = {
  readonly call: Call;
  /** True if a running server answers. */
  readonly remote: boolean;
  close(): Promise<void>;
};

export type ControlOptions = {
  readonly dataDir: string;
  readonly workerScript: string;
  /** Searched for workflow files too, where there is no server, which has its own. */
  readonly workflowFolders: readonly string[];
  readonly log: Log;
  /** True if runs at hosted services are sent and followed where no server runs. */
  readonly sendsHosted?: boolean | undefined;
};

/** Asks a team server. */
export function openTeamControl(options: Pick<ControlClientOptions, 'url' | 'token' | 'timeoutMs'>): Control {
  const call = createControlClient({ ...options, silent: teamServerSilent });
  return { call, remote: true, close: async () => {} };
}

/** Throws `data_folder_locked` when a process has the folder but answers no calls. */
export async function openControl(options: ControlOptions): Promise<Control> {
  const { dataDir } = options;
  const server = await readServerInfo(dataDir);
  if (server !== undefined) {
    const call = createControlClient({ url: server.url, token: server.controlToken });
    return { call, remote: true, close: async () => {} };
  }
  // Where a server answers, which is the usual case, a call does without them: they are most of the program.
  const { parseInput } = await import('../contract/parse-input.ts');
  const { openServices } = await import('./open-services.ts');
  const { createControlHandlers } = await import('../http/control-api/create-control-handlers.ts');
  const { rehearseCall } = await import('../http/public-api/rehearse-call.ts');
  const clock = systemClock;
  const opened = await openServices({
    ...options,
    executes: false,
    isShort: true,
    clock,
  });
  const { services } = opened;
  await services.runs.runs.recover();
  const handlers = createControlHandlers(services, {
    dataDir,
    startedAt: isoTime(clock),
    url: () => '',
    clock,
    entryCode: () => {
      throw noServer(dataDir);
    },
    replay: async () => {
      throw noServer(dataDir);
    },
    rehearse: (test) => rehearseCall({ ...services, log: options.log }, test),
    client: 'cli',
  });
  const call: Call = (name, input) => {
    const handler = handlers[name] as (input: unknown) => ReturnType<Call>;
    return handler(parseInput(name, input)) as never;
  };
  return { call, remote: false, close: () => opened.close() };
}
