// `rowbench test --update`: replaces expectations in tests files, and files of expected rows beside them, with the
// actual results.
import { dirname, join } from 'node:path';
import type { JsonValue } from '../../base/json-value.ts';
import type { TestOutcome } from '../../domain/tests/compare-outcome.ts';
import { updateTests } from '../../domain/tests/update-tests.ts';
import { writeTextFile, writtenPath } from '../../files/text-file.ts';
import { textOfLine, type JsonLines } from './in-memory-rows.ts';
import { rowsPerLine } from './expected-rows.ts';
import type { DoneFile, RanOutcome } from './run-tests.ts';

/**
 * Writes what has to change; gives the files that were written. Throws `invalid_input` before it writes a file, if one of
 * them is a link out of its folder.
 */
export async function updateFiles(files: readonly DoneFile[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => updatedTexts(file, updateTests)));
  const changes = await Promise.all(
    found.flat().map(async ({ file, text }) => ({ file, text, written: await writtenPath(file) })),
  );
  for (const { written, text } of changes) await writeTextFile(written, text);
  return changes.map(({ file }) => file);
}

type Update = (text: string, runs: Parameters<typeof updateTests>[1]) => string | Promise<string>;

/** Files with the texts in which failed tests expect what came. @param update changes the text of the tests file */
export async function updatedTexts(
  { loaded, done }: DoneFile,
  update: Update,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const expected = done.flatMap(({ test, result, outcome }) => {
    const { rows } = test.expect;
    return typeof rows === 'string' && result.status === 'failed' && outcome?.status === 'completed'
      ? [{ file: join(dirname(loaded.file), rows), text: rowsPerLine(valuesOf(outcome.outputs)) }]
      : [];
  });
  const runs = done.flatMap(({ test, outcome }) =>
    outcome === undefined ? [] : [{ test, outcome: testOutcome(outcome) }],
  );
  const text = await update(loaded.text, runs);
  return text === loaded.text ? expected : [...expected, { file: loaded.file, text }];
}

const testOutcome = (outcome: RanOutcome): TestOutcome =>
  outcome.status === 'failed' ? outcome : { ...outcome, outputs: valuesOf(outcome.outputs) };

/** In row order; null for a row without an output. */
const valuesOf = (outputs: JsonLines): JsonValue[] =>
  [...outputs.lines()].map((line) =>
    line.length === 0 ? null : (JSON.parse(textOfLine(line)) as JsonValue),
  );

/** Failed tests expect now what came. */
export const asUpdated = (file: DoneFile): DoneFile => ({
  ...file,
  done: file.done.map((test) => {
    const { name, line, status } = test.result;
    return status === 'failed' ? { ...test, result: { name, line, status: 'passed' } } : test;
  }),
});
