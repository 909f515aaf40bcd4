// Access tokens of a team server, and the log of what their owners changed.
import { z } from 'zod';
import type { AuditRecord } from '../domain/access/audit-record.ts';
import { roles, type Role } from '../domain/access/role.ts';
import { invisibleName, isVisible } from '../domain/visible-name.ts';
import { nothing, procedure, type Nothing } from './procedure.ts';

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

type NewTokenInput = { name: string; role: Role; expiresAt?: string };
type AuditInput = { limit: number; before?: string; tokenName?: string };

export const tokenProcedures = {
  'token.list': procedure<Nothing, readonly TokenView[]>(nothing),
  /** Throws `invalid_input` for an expiry that is past. */
  'token.create': procedure<NewTokenInput, CreatedToken>(
    z.strictObject({
      name: z.string().trim().min(1).max(100).refine(isVisible, invisibleName),
      role: z.enum(roles),
      expiresAt: z.iso.datetime().exactOptional(),
    }),
  ),
  /** Ends the token and its sessions. Throws `token_not_found`. */
  'token.revoke': procedure<{ id: string }, TokenView>(z.strictObject({ id: z.string().max(64) })),
  /** Newest first; `before`: id of a record, older ones are listed; `tokenName`: only changes of that token's owner. */
  'audit.list': procedure<AuditInput, readonly AuditRecord[]>(
    z.strictObject({
      limit: z.number().int().min(1).max(1_000),
      before: z.string().max(64).exactOptional(),
      tokenName: z.string().max(100).exactOptional(),
    }),
  ),
};
