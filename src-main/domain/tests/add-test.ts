// Writes a new test into the text of a tests file.
import { invariant } from '../../base/invariant.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { appendEntry, entryText, type Entry } from '../workflow/append-entry.ts';
import { editWorkflow } from '../workflow/edit-workflow.ts';
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
    readonly rows?: readonly (JsonObject | null)[] | string;
    readonly error?: string;
  };
};

/**
 * The text with the test at the end of its list. The text must be that of a valid tests file.
 * @param text absent: a new file
 * @param note a line about where the test comes from; JSON has no place for it
 */
export function addTest(text: string | undefined, test: NewTest, note: string): string {
  const entry: Entry = {
    value: JSON.parse(JSON.stringify(test)) as JsonObject,
    note: { above: 'rows', text: note },
    compact: [['rows'], ['expect', 'rows']],
  };
  if (text === undefined) return `rowbench: 1\ntests:\n${entryText(entry, 2)}`;
  const { tests = [] } = parseTests(text);
  const appended = appendEntry(text, 'tests', entry);
  const isRead = (added: string): boolean => {
    const { tests: now = [] } = parseTests(added);
    return now.length === tests.length + 1 && now.at(-1)?.name === test.name;
  };
  if (appended !== undefined && isRead(appended)) return appended;
  const edited = editWorkflow(text, [{ kind: 'set', path: ['tests', tests.length], value: entry.value }]);
  invariant(isRead(edited), 'a test that was added can be read');
  return edited;
}
