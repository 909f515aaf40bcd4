import { silentLog } from '../base/log.ts';
import { systemClock } from '../base/system-clock.ts';
import { TrustService } from '../services/trust-service.ts';
import { findKeeper } from '../storage/find-keeper.ts';
import { openStoredDecisions } from '../storage/open-documents.ts';

/** The user's trust decisions in a data folder; `importedAs` is set if the file belongs to an import. */
type StoredTrust = { readonly trust: TrustService; readonly importedAs?: string };

/** Undefined for a workflow file that no data folder keeps. Throws `data_unreadable`. */
export async function storedTrust(file: string): Promise<StoredTrust | undefined> {
  const deps = { clock: systemClock, log: silentLog };
  const keeper = await findKeeper(file);
  if (keeper === undefined) return undefined;
  const { dataDir, ...imported } = keeper;
  const document = await openStoredDecisions(dataDir, deps);
  return { trust: new TrustService({ document, ...deps }), ...imported };
}
