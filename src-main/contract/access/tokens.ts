// Access tokens of a team server, and the log of what their owners changed.
import { z } from 'zod';
import { admin, adminChange, answer, nothing } from '../procedure.ts';
import type { AuditRecord } from '../../domain/access/audit-record.ts';
import { roles, type Role } from '../../domain/access/role.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { invisibleName, isVisible } from '../../domain/visible-name.ts';

/** An access token as clients see it. Times are ISO 8601. */
export type TokenView = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly last4: string;
  readonly createdAt: string;
  /** Name of the token that created it; null for the first one of the server. */
  readonly createdBy: string | null;
  /** null: it does not expire. */
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
};

/** `secret` is shown here and never again. */
export type CreatedToken = { readonly token: TokenView; readonly secret: string };

export const tokenProcedures = {
  'token.list': admin(nothing, answer<readonly TokenView[]>),
  /** Throws `invalid_input` for an expiry that is past. */
  'token.create': adminChange(
    z.strictObject({
      name: lookupText.trim().min(1).max(100).refine(isVisible, invisibleName),
      role: z.enum(roles),
      expiresAt: z.iso.datetime().exactOptional(),
    }),
    answer<CreatedToken>,
  ),
  /** Ends the token and its sessions. Throws `token_not_found`. */
  'token.revoke': adminChange(z.strictObject({ id: lookupText.max(64) }), answer<TokenView>),
  /** Newest first; `before`: id of a record, older ones are listed; `tokenName`: only changes of that token's owner. */
  'audit.list': admin(
    z.strictObject({
      limit: z.number().int().min(1).max(1_000),
      before: lookupText.max(64).exactOptional(),
      tokenName: lookupText.max(100).exactOptional(),
    }),
    answer<readonly AuditRecord[]>,
  ),
};
