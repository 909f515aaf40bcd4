// Procedures on the server itself.
import type { Handlers } from '../../../contract/index.ts';
import { noLinks } from '../../../domain/access-errors.ts';
import { serverInfo } from '../../../presenters/server-info.ts';
import type { AccessRoom } from '../../../services/access/open.ts';
import type { ControlHost } from '../control-host.ts';
import { entryCodeLifeMs } from '../entry-codes.ts';

export const createServerHandlers = ({ settings, team }: AccessRoom, host: ControlHost) =>
  ({
    'server.info': async () => serverInfo(host, settings()),
    // Users of a team sign in with their tokens.
    'server.link': async () => {
      if (team !== undefined) throw noLinks();
      return { url: `${host.url()}/#code=${host.entryCode()}`, minutes: entryCodeLifeMs / 60_000 };
    },
  }) satisfies Partial<Handlers>;
