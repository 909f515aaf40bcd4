import { parserInProcess, type FileParser } from '../services/file-parser.ts';
import { loadWorkflow } from '../services/workflow-service.ts';
import { storedTrust } from './stored-trust.ts';

/**
 * Naming a file on the command line is trusting it, but for what lies in a data folder as an import: there the
 * decision is to be made by whoever has seen what it does. Throws `workflow_untrusted`.
 * @param source the file's text
 */
export async function assertFileTrusted(
  file: string,
  source: string,
  parser: FileParser = parserInProcess,
): Promise<void> {
  const { trust, importedAs } = (await storedTrust(file)) ?? {};
  if (trust === undefined || importedAs === undefined) return;
  trust.assertTrusted(await loadWorkflow({ path: file, place: { importedAs } }, source, parser));
}
