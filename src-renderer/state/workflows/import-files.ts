// Files that the user drops or chooses: whether they hold workflows or rows, and the texts that an import sends.
import type { Input } from '#contract';

type ImportedFiles = NonNullable<Input<'workflow.import'>['files']>;

/** Bytes of all files of one import: a call to the server carries 1 MB. */
const maxBytes = 900_000;

/** A JSON file holds rows, unless its name says that it is a workflow. */
export function kindOfFile(name: string): 'workflow' | 'rows' | undefined {
  if (/\.ya?ml$|\.(?:workflow|tests)\.json$/i.test(name)) return 'workflow';
  return /\.(?:xls[xm]?|csv|tsv|tab|txt|json|ndjson|jsonl)(?:\.gz)?$/i.test(name) ? 'rows' : undefined;
}

/** Throws an error with a message for the user. */
export async function readImportFiles(files: readonly File[]): Promise<ImportedFiles> {
  if (files.reduce((bytes, { size }) => bytes + size, 0) > maxBytes)
    throw new Error('These files are larger than 900 KB. Import them by their path on this machine instead.');
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await readText(file) })));
}

async function readText(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch (error) {
    const problem = error instanceof TypeError ? 'is not UTF-8 text: save it as UTF-8' : 'cannot be read';
    throw new Error(`${file.name} ${problem}.`, { cause: error });
  }
}
