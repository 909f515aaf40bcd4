// A run's results in one piece (storage/rows/results-file.ts), with a byte of one of their parts changed.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the order in which the file has them. */
const parts = ['index', 'outputs', 'states', 'traces', 'statistics'] as const;

/** @param folder of the run */
export async function damageResults(folder: string, part: (typeof parts)[number]): Promise<void> {
  const path = join(folder, 'results');
  const bytes = await readFile(path);
  const end = bytes.indexOf('\n') + 1;
  const sizes = bytes.toString('latin1', 0, end).split(' ').slice(2, 7).map(Number);
  const at = sizes.slice(0, parts.indexOf(part)).reduce((sum, size) => sum + size, end);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}
