// Who may use a server: one user, who can read its data folder, or users with access tokens.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { noLinks } from '../domain/access-errors.ts';
import type { TokensFile } from '../domain/access/access-token.ts';
import type { TeamOptions } from '../http/control-api/create-control-api.ts';
import { EntryCodes } from '../http/control-api/entry-codes.ts';
import { MemoryAuditLog } from '../services/memory-audit-log.ts';
import type { AuditLog, Document } from '../services/ports.ts';
import { TokenService } from '../services/token-service.ts';
import type { DataFolder } from '../storage/data-folder.ts';

export type AccessOptions = {
  /** `tokens`: users sign in with access tokens, which have roles. Absent: one user, who opens the app by a link. */
  readonly access?: 'tokens' | undefined;
  /** Absent: tokens in a file of the data folder, and an audit log that ends with the process. */
  readonly accessStore?: { readonly tokens: Document<TokensFile>; readonly audit: AuditLog } | undefined;
  /** true: browsers reach the server by https alone. */
  readonly isHttps?: boolean | undefined;
};

type AccessDeps = {
  readonly folder: DataFolder;
  readonly audit: AuditLog | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** Throws `data_unreadable`. */
export async function openAccess(options: AccessOptions, deps: AccessDeps) {
  const team = await openTeam(options, deps);
  const entryCodes = new EntryCodes(deps.clock);
  const entryCode = (): string => {
    if (team !== undefined) throw noLinks();
    return entryCodes.create();
  };
  return { team, entryCodes, entryCode };
}

async function openTeam(
  { access, accessStore, isHttps = false }: AccessOptions,
  { folder, audit = new MemoryAuditLog(), clock, log }: AccessDeps,
): Promise<TeamOptions | undefined> {
  if (access === undefined) return undefined;
  const document = accessStore?.tokens ?? (await folder.openTokens());
  const tokens = new TokenService({ document, clock, log });
  return { tokens, audit: accessStore?.audit ?? audit, isHttps, log };
}
