// A row may have a key that reads `<<`. Written without quotes into a workflow's or a tests file it was YAML's merge
// key, which these files refuse: the whole file could not be read any more.
import { expect, it } from 'vitest';
import { addTest } from '../../src-main/domain/tests/add-test.ts';
import { parseTests } from '../../src-main/domain/tests/parse-tests.ts';
import { editedText } from '../../src-main/domain/authoring/edit/edit-text.ts';

const rows = [{ '<<': 1 }, { a: { '<<': { b: '<<' } } }, { list: [{ '<<': [] }] }];
const withTest = addTest(undefined, { name: 'b', rows, expect: { status: 'completed', rows } }, 'a note');

const rowsIn = (text: string): unknown => {
  const { tests, issues } = parseTests(text);
  expect(issues).toEqual([]);
  return tests?.at(-1)?.rows;
};

it('a test that is added to a new file, or to one that is there, can be read', () => {
  expect(rowsIn(withTest)).toEqual(rows);
  const added = addTest(withTest, { name: 'c', rows, expect: { status: 'completed' } }, 'a note');
  expect(rowsIn(added)).toEqual(rows);
});

it('a value that is set in a file can be read', () => {
  const value = [{ n: 1 }, ...rows];
  const path = ['tests', 0, 'rows'];
  expect(rowsIn(editedText(withTest, { kind: 'setValue', path, value }))).toEqual(value);
});

it('a key that is added to a row can be read', () => {
  const path = ['tests', 0, 'rows', 2];
  const edited = editedText(withTest, { kind: 'insertKey', path, key: '<<', value: { '<<': 2 } });
  expect(rowsIn(edited)).toEqual([...rows.slice(0, 2), { ...rows[2], '<<': { '<<': 2 } }]);
});

it('a value that is written anew can be read', () => {
  const value = [...rows, { n: 2 }];
  expect(rowsIn(editedText(withTest, { kind: 'setValue', path: ['tests', 0, 'rows'], value }))).toEqual(
    value,
  );
});

it('a merge key that its author wrote elsewhere stays one', () => {
  const text = 'base: { a: 1 }\nother:\n  <<: { b: 1 }\nlist: []\n';
  const edited = editedText(text, { kind: 'setValue', path: ['list'], value: [{ '<<': 1 }] });
  expect(edited).toContain('  <<: { b: 1 }\n');
  expect(edited).toContain('"<<": 1');
});
