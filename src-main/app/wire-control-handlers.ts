// Gives the control API's handlers what another layer implements.
import type { Log } from '../base/log.ts';
import type { Handlers } from '../contract/index.ts';
import { createControlHandlers, type ControlDeps } from '../http/control-api/create-control-handlers.ts';
import { rehearseCall } from '../http/public-api/rehearse-call.ts';
import type { Services } from './open-services.ts';
import { version } from './version.ts';

/** Who calls: the server, and a command line without a server. */
type ControlOptions = Pick<
  ControlDeps,
  'clock' | 'dataDir' | 'entryCode' | 'origin' | 'readOnly' | 'replay' | 'startedAt' | 'team' | 'url'
> & { readonly log: Log };

export function wireControlHandlers(services: Services, options: ControlOptions): Handlers {
  const { folder } = services;
  return createControlHandlers({
    ...services,
    ...options,
    version,
    rehearse: (test) => rehearseCall({ ...services, log: options.log }, test),
    recordingOf: async ({ id, file }) => {
      const { label, isSidecar } = await services.openCassette(id, file);
      return { name: label, ...(isSidecar === undefined ? {} : { isSidecar }) };
    },
    readCassette: async ({ id, file }) => {
      const cassette = await services.openCassette(id, file);
      return { name: cassette.label, cassette: await cassette.read() };
    },
    measureFolder: async () => ({ path: folder.path, ...(await folder.measure()) }),
  });
}
