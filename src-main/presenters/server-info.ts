import { version } from '../base/version.ts';
import type { ServerInfo } from '../contract/index.ts';
import type { Settings } from '../domain/settings.ts';

export type ServerDetails = {
  readonly dataDir: string;
  readonly startedAt: string;
  /** The server's own address; empty while no server listens. */
  readonly url: () => string;
  /** Why no workflow file is changed here; absent: they can be. */
  readonly readOnly?: string | undefined;
};

/** Information about the server, as pages see it. */
export const serverInfo = (
  { dataDir, startedAt, url, readOnly }: ServerDetails,
  { limits }: Settings,
): ServerInfo => ({
  version,
  url: url(),
  dataDir,
  limits,
  startedAt,
  ...(readOnly === undefined ? {} : { readOnly }),
});
