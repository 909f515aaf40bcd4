// Procedures on the server itself.
import type { Handlers, ServerInfo } from '../../contract/index.ts';
import type { Settings } from '../../domain/settings.ts';
import { entryCodeLifeMs } from './entry-codes.ts';

export type ServerDetails = {
  readonly version: string;
  readonly dataDir: string;
  readonly startedAt: string;
  /** Empty while no server listens. */
  readonly url: () => string;
  readonly settings: () => Settings;
  /** Why no workflow file is changed here; absent: they can be. */
  readonly readOnly?: string | undefined;
};

export type ServerDeps = ServerDetails & {
  /** A fresh code that lets one browser in. Throws where no server listens. */
  readonly entryCode: () => string;
};

export const createServerHandlers = (deps: ServerDeps) =>
  ({
    'server.info': async () => serverInfo(deps),
    'server.link': async () => ({
      url: `${deps.url()}/#code=${deps.entryCode()}`,
      minutes: entryCodeLifeMs / 60_000,
    }),
  }) satisfies Partial<Handlers>;

/** Information about the server, as pages see it. */
export const serverInfo = ({
  version,
  dataDir,
  startedAt,
  url,
  settings,
  readOnly,
}: ServerDetails): ServerInfo => ({
  version,
  url: url(),
  dataDir,
  limits: settings().limits,
  startedAt,
  ...(readOnly === undefined ? {} : { readOnly }),
});
