import { nothing, procedure, type Nothing } from './procedure.ts';
import type { EntryLink, ServerInfo } from './views.ts';

export const serverProcedures = {
  'server.info': procedure<Nothing, ServerInfo>(nothing),
  /** A link that lets one browser in, once. */
  'server.link': procedure<Nothing, EntryLink>(nothing),
};
