import type { KeyView } from '../contract/index.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';

/** A key as pages see it: everything but the hash. */
export const keyView = (key: ApiKey): KeyView => ({
  id: key.id,
  name: key.name,
  last4: key.last4,
  workflows: key.workflows,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  calls: key.calls,
  revokedAt: key.revokedAt,
});
