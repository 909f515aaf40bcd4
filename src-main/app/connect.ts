// The command line's way in: the server that has the data folder, if there is one, else the folder itself.
import type { Call } from '../contract/index.ts';
import { isoTime } from '../base/clock.ts';
import { systemClock } from '../base/system-clock.ts';
import { procedures } from '../contract/index.ts';
import { readServerInfo } from '../storage/server-info-file.ts';
import { createControlClient } from './control-client.ts';
import { createControlHandlers } from './control-handlers.ts';
import { createLog } from './log.ts';
import { openServices } from './open-services.ts';

export type Control = {
  readonly call: Call;
  /** Whether a running server answers. */
  readonly remote: boolean;
  close(): Promise<void>;
};

/** Throws `data_folder_locked` when a process has the folder but answers no calls. */
export async function openControl(dataDir: string, workerScript: string): Promise<Control> {
  const server = await readServerInfo(dataDir);
  if (server !== undefined) {
    const call = createControlClient({ url: server.url, token: server.controlToken });
    return { call, remote: true, close: async () => {} };
  }
  const clock = systemClock;
  const services = await openServices({
    dataDir,
    workerScript,
    executes: false,
    clock,
    log: createLog('warn'),
  });
  await Promise.all([services.workflows.refresh(), services.runs.recover()]);
  const handlers = createControlHandlers({
    ...services,
    dataDir,
    startedAt: isoTime(clock),
    url: () => '',
    origin: { kind: 'cli' },
  });
  const call: Call = (name, input) => {
    const handler = handlers[name] as (input: unknown) => ReturnType<Call>;
    return handler(procedures[name].input.parse(input)) as never;
  };
  return { call, remote: false, close: () => services.close() };
}
