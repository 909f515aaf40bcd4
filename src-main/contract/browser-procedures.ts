import { z } from 'zod';
import { nothing, procedure, type Nothing } from './procedure.ts';

/** A browser that may open the app. Times are ISO 8601. */
export type PairedBrowserView = {
  readonly id: string;
  readonly name: string;
  readonly pairedAt: string;
  /** At most an hour older than the last use. */
  readonly lastUsedAt: string;
};

export const browserProcedures = {
  /** The last used first. */
  'browser.list': procedure<Nothing, readonly PairedBrowserView[]>(nothing),
  /** Ends the browser's access at once. Throws `browser_not_found`. */
  'browser.revoke': procedure<{ id: string }, null>(z.strictObject({ id: z.string().max(64) })),
};
