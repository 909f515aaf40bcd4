// A file that the user names on the command line, which a data folder may keep.
import { silentLog } from '../../base/log.ts';
import { systemClock } from '../../base/system-clock.ts';
import { TrustService } from './trust-service.ts';
import { findKeeper } from '../../storage/data-location.ts';
import { openStoredDecisions } from '../../storage/documents/open-documents.ts';
import { type FileParser, parserInProcess } from './file-parser.ts';
import { loadWorkflow } from './workflow-service.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import { findProfile } from './profile-service.ts';

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

/**
 * The user trusts a file by naming it on the command line. An import in a data folder is different: the user must
 * first see what it does and trust it there. Throws `workflow_untrusted`.
 * @param source the file's text
 */
export async function assertFileTrusted(
  file: string,
  source: string,
  parser: FileParser = parserInProcess,
): Promise<void> {
  const { trust, importedAs } = (await storedTrust(file)) ?? {};
  if (trust === undefined || importedAs === undefined) return;
  trust.assertTrusted(await loadWorkflow({ path: file, location: { importedAs } }, source, parser));
}

/**
 * The profile with this name for a file that the user names on the command line; undefined without a name. Throws
 * `invalid_input` for one that is not there.
 */
export async function profileOfFile(
  file: string,
  name: string | undefined,
  parser: FileParser,
): Promise<Profile | undefined> {
  if (name === undefined) return undefined;
  const { importedAs } = (await findKeeper(file)) ?? {};
  const location = importedAs === undefined ? 'named' : { importedAs };
  return findProfile({ file, location }, name, parser);
}
