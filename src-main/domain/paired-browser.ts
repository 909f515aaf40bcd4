// Browsers that may open the app. A link pairs a browser once; from then on a secret in the browser opens the app.
import { z } from 'zod';

/** A paired browser as stored: never its secret. */
const pairedBrowserSchema = z.object({
  id: z.string(),
  /** Name for the user, such as "Firefox on Linux". */
  name: z.string().min(1).max(100),
  /** SHA-256 of the secret, hexadecimal. */
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  pairedAt: z.iso.datetime(),
  /** At most an hour older than the last use. */
  lastUsedAt: z.iso.datetime(),
  /** The access token that it signed in with; absent: it was paired by a link. */
  tokenId: z.string().optional(),
});
export type PairedBrowser = z.infer<typeof pairedBrowserSchema>;

/** `browsers.json`. */
export const browsersFileSchema = z.object({
  version: z.literal(1),
  /** Random name of the data folder; a browser keeps one secret for each. */
  folderId: z.string().min(1).max(100),
  browsers: z.array(pairedBrowserSchema),
});
export type BrowsersFile = z.infer<typeof browsersFileSchema>;

/** A browser that is not used for this time has to be paired again. */
const maxUnusedDays = 30;

export const isExpired = ({ lastUsedAt }: PairedBrowser, nowMs: number): boolean =>
  nowMs - Date.parse(lastUsedAt) > maxUnusedDays * 86_400_000;

/** In this order: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari. */
const browserMarks = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systemMarks = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** A name for the user, from a `User-Agent` header. */
export function browserName(userAgent: string | undefined): string {
  const find = (marks: readonly (readonly [string, string])[]): string | undefined =>
    marks.find(([mark]) => userAgent?.includes(mark))?.[1];
  const browser = find(browserMarks) ?? 'A browser';
  const system = find(systemMarks);
  return system === undefined ? browser : `${browser} on ${system}`;
}
