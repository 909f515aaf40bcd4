// Access tokens: what a user of a team server signs in with. Each has a name, a role and perhaps an end.
import { z } from 'zod';
import { roles } from './role.ts';

/** An access token as stored: never the token itself. */
const accessTokenSchema = z.object({
  id: z.string(),
  name: z.string().min(1).max(100),
  role: z.enum(roles),
  /** SHA-256 of the token, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The token's last four characters, to recognise it by. */
  last4: z.string(),
  createdAt: z.iso.datetime(),
  /** Name of the token that created it; null for the first token of a server. */
  createdBy: z.string().nullable(),
  /** null: it does not expire. */
  expiresAt: z.iso.datetime().nullable(),
  /** At most a minute older than the last use. */
  lastUsedAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
});
export type AccessToken = z.infer<typeof accessTokenSchema>;

/** The document of all access tokens. */
export const tokensFileSchema = z.object({ version: z.literal(1), tokens: z.array(accessTokenSchema) });
export type TokensFile = z.infer<typeof tokensFileSchema>;

/** True if the token is neither revoked nor expired. */
export const isTokenLive = ({ revokedAt, expiresAt }: AccessToken, nowMs: number): boolean =>
  revokedAt === null && (expiresAt === null || nowMs < Date.parse(expiresAt));
