// Procedures on access tokens and on the audit log.
import type { Handlers, TokenView } from '../../../contract/index.ts';
import { noAccessTokens } from '../../../domain/access-errors.ts';
import type { AccessToken } from '../../../domain/access/access-token.ts';
import type { AccessRoom } from '../../../services/access/open.ts';

/** On a server with one user, who needs no token, each procedure throws `invalid_input`. */
export function createTokenHandlers({ team, browsers }: AccessRoom) {
  const required = (): NonNullable<typeof team> => {
    if (team === undefined) throw noAccessTokens();
    return team;
  };
  return {
    'token.list': async () => (await required().tokens.list()).map(tokenView),
    'token.create': async ({ name, role, expiresAt }, caller) => {
      const newToken = { name, role, expiresAt: expiresAt ?? null, createdBy: caller?.name ?? null };
      const { token, secret } = await required().tokens.create(newToken);
      return { token: tokenView(token), secret };
    },
    'token.revoke': async ({ id }) => {
      const revoked = await required().tokens.revoke(id);
      await browsers.revokeOfToken(id);
      return tokenView(revoked);
    },
    'audit.list': async (query) => required().audit.list(query),
  } satisfies Partial<Handlers>;
}

/** A token as clients see it: everything but the hash. */
const tokenView = (token: AccessToken): TokenView => ({
  id: token.id,
  name: token.name,
  role: token.role,
  last4: token.last4,
  createdAt: token.createdAt,
  createdBy: token.createdBy,
  expiresAt: token.expiresAt,
  lastUsedAt: token.lastUsedAt,
  revokedAt: token.revokedAt,
});
