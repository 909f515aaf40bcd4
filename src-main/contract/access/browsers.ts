import { z } from 'zod';
import { admin, adminChange, answer, nothing } from '../procedure.ts';
import { lookupText } from '../../domain/lookup-text.ts';

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
  'browser.list': admin(nothing, answer<readonly PairedBrowserView[]>),
  /** Ends the browser's access at once. Throws `browser_not_found`. */
  'browser.revoke': adminChange(z.strictObject({ id: lookupText.max(64) }), answer<null>),
};
