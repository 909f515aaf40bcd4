// Writes a new test into the text of a tests file.
import { invariant } from '../../base/invariant.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { editedText, editText } from '../authoring/edit/edit-text.ts';
import { applyChanges } from '../authoring/edit/text-changes.ts';
import { parseTests } from './parse-tests.ts';

/** A test as its file holds it. */
export type NewTest = {
  readonly name: string;
  readonly rows: readonly JsonObject[] | string;
  readonly mocks?: Readonly<Record<string, string>>;
  readonly cassette?: string;
  readonly scenario?: string;
  readonly expect: {
    readonly status: 'completed' | 'failed';
    readonly contains?: true;
    readonly rows?: readonly (JsonObject | null)[] | string;
    readonly fields?: JsonObject;
    readonly error?: string;
  };
};

/**
 * The text with the test at the end of its list. The text must be that of a valid tests file.
 * @param text absent: a new file
 * @param note a line about where the test comes from; JSON has no place for it
 */
export function addTest(text: string | undefined, test: NewTest, note: string): string {
  const index = text === undefined ? 0 : (parseTests(text).tests?.length ?? 0);
  const value = JSON.parse(JSON.stringify(test)) as JsonObject;
  const added = editedText(text ?? 'rowbench: 1\ntests: []\n', {
    kind: 'insertItem',
    path: ['tests'],
    index,
    value,
  });
  const { tests = [] } = parseTests(added);
  invariant(tests.length === index + 1 && tests[index]?.name === test.name, 'an added test can be read');
  const { changes } = editText(added, { kind: 'setComment', path: ['tests', index, 'rows'], text: note });
  return changes === undefined ? added : applyChanges(added, changes);
}
