import { parserInProcess, type FileParser } from '../services/file-parser.ts';
import { loadWorkflow } from '../services/workflow-service.ts';
import { storedTrust } from './stored-trust.ts';

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
