import { expect, it } from 'vitest';
import { kindOfFile } from '../../../../src-renderer/state/workflows/import-files.ts';

it.each([
  ['a.csv', 'rows'],
  ['a.CSV.gz', 'rows'],
  ['a.xlsm', 'rows'],
  ['old.xls', 'rows'],
  ['a.json', 'rows'],
  ['a.workflow.json', 'workflow'],
  ['a.yaml', 'workflow'],
  ['a.gz', undefined],
  ['a.pdf', undefined],
])('the file %s holds %s', (name, kind) => {
  expect(kindOfFile(name)).toBe(kind);
});
