// How long access tokens are valid, as the settings show it.
import { localTime, type TokenView } from '#contract';

const dayMs = 86_400_000;
const dayOf = (iso: string): string => localTime(iso).slice(0, 10);

/** Times that a new token can be valid for, in days; null: it does not expire. */
export const tokenValidities: readonly { readonly days: number | null; readonly label: string }[] = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
  { days: null, label: 'No end' },
];

/** ISO 8601; undefined: it does not expire. */
export const expiryAfter = (days: number | null, nowMs: number): string | undefined =>
  days === null ? undefined : new Date(nowMs + days * dayMs).toISOString();

/** True if the token is neither revoked nor expired. */
export const isTokenUsable = ({ revokedAt, expiresAt }: TokenView, nowMs: number): boolean =>
  revokedAt === null && (expiresAt === null || nowMs < Date.parse(expiresAt));

export function endOfToken(token: TokenView, nowMs: number): string {
  const { revokedAt, expiresAt } = token;
  if (revokedAt !== null) return `Revoked ${dayOf(revokedAt)}`;
  if (expiresAt === null) return 'Never';
  return isTokenUsable(token, nowMs) ? dayOf(expiresAt) : `Expired ${dayOf(expiresAt)}`;
}
