import { silentLog } from '../base/log.ts';
import { systemClock } from '../base/system-clock.ts';
import { TrustService } from '../services/trust-service.ts';
import { loadWorkflow } from '../services/workflow-service.ts';
import { findKeeper, openStoredDecisions } from '../storage/find-keeper.ts';

/**
 * Naming a file on the command line is trusting it, but for what lies in a data folder as an import: there the
 * decision is to be made by whoever has seen what it does. Throws `workflow_untrusted`.
 * @param source the file's text
 */
export async function assertFileTrusted(file: string, source: string): Promise<void> {
  const given = { clock: systemClock, log: silentLog };
  const { dataDir, importedAs } = (await findKeeper(file, given)) ?? {};
  if (dataDir === undefined || importedAs === undefined) return;
  const trust = new TrustService({ document: await openStoredDecisions(dataDir, given), ...given });
  trust.assertTrusted(loadWorkflow({ path: file, place: { importedAs } }, source));
}
