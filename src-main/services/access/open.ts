// Who may use a server, the secrets of calls, and settings.
import { openStoredSecrets } from '../../storage/documents/open-documents.ts';
import type { Platform } from '../platform.ts';
import { BrowserService } from './browser-service.ts';
import { KeyService } from './key-service.ts';
import { MemoryAuditLog } from './memory-audit-log.ts';
import { SecretService } from './secret-service.ts';
import { TokenService } from './token-service.ts';

export type AccessRoom = Awaited<ReturnType<typeof openAccess>>;

/** Throws `data_unreadable`. */
export async function openAccess(platform: Platform) {
  const { options, clock, log, settings, settingsService } = platform;
  const { folder } = platform.backend;
  const { extraSecrets: temporary = [], secretsFrom, fixedApiKey: fixedKey } = options;
  const stored = secretsFrom === undefined ? folder.secrets : await openStoredSecrets(secretsFrom, options);
  return {
    settings,
    settingsService,
    keys: new KeyService({ document: folder.keys, clock, log, fixedKey }),
    browsers: new BrowserService({ document: folder.browsers, clock, log }),
    secrets: new SecretService({ ...stored, temporary, clock }),
    team: options.access === undefined ? undefined : await openTeamAccess(platform),
    /** Measures the data folder and its disk. Throws `data_unreadable`. */
    measureFolder: async () => ({ path: folder.path, ...(await folder.measure()) }),
  };
}

/** Access tokens, and the log of what their users did. */
async function openTeamAccess({ options: { accessStore }, clock, log, backend }: Platform) {
  const document = accessStore?.tokens ?? (await backend.folder.openTokens());
  return {
    tokens: new TokenService({ document, clock, log }),
    audit: accessStore?.audit ?? backend.audit ?? new MemoryAuditLog(),
  };
}
