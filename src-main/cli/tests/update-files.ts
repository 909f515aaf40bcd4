// `rowbench test --update`: replaces expectations in tests files, and files of expected rows beside them, with the
// actual results.
import { dirname, join } from 'node:path';
import { updateTests } from '../../domain/tests/update-tests.ts';
import { writeText } from '../write-output-file.ts';
import { rowsPerLine } from '../../app/tests/expected-rows.ts';
import type { DoneFile } from '../../app/tests/run-tests.ts';

/** Writes what has to change; gives the files that were written. */
export async function updateFiles(files: readonly DoneFile[]): Promise<string[]> {
  const updated: string[] = [];
  const write = async (file: string, text: string): Promise<void> => {
    await writeText(file, text);
    updated.push(file);
  };
  for (const { loaded, done } of files) {
    for (const { test, result, outcome } of done) {
      const { rows } = test.expect;
      if (typeof rows === 'string' && result.status === 'failed' && outcome?.status === 'completed')
        await write(join(dirname(loaded.file), rows), rowsPerLine(outcome.outputs));
    }
    const runs = done.flatMap(({ test, outcome }) => (outcome === undefined ? [] : [{ test, outcome }]));
    const text = updateTests(loaded.text, runs);
    if (text !== loaded.text) await write(loaded.file, text);
  }
  return updated;
}

/** Failed tests expect now what came. */
export const asUpdated = (file: DoneFile): DoneFile => ({
  ...file,
  done: file.done.map((test) => {
    const { name, line, status } = test.result;
    return status === 'failed' ? { ...test, result: { name, line, status: 'passed' } } : test;
  }),
});
