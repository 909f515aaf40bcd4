import { expect, it } from 'vitest';
import type { FindHit } from '../../../../src-main/contract/index.ts';
import { foundRows } from '../../../../src-renderer/state/find/found-rows.ts';
import { runView } from '../../../builders/run-view.ts';

const hit = (runId: string, row: number, of: 'input' | 'output'): FindHit => ({
  runId,
  workflowId: 'echo',
  row,
  column: { of, name: 'name' },
  before: '',
  match: 'Ada',
  after: '',
});

it('a row is one entry, with all its hits in the newest attempt and the number of the others', () => {
  const runs = [
    runView({ runId: 'fix', chainId: 'first' }),
    runView({ runId: 'first', source: 'contacts.csv' }),
    runView({ runId: 'other', source: 'leads.xlsx', labels: { name: 'March' } }),
  ];
  const hits = [
    hit('other', 2, 'input'),
    hit('fix', 2, 'input'),
    hit('fix', 2, 'output'),
    hit('first', 1, 'input'),
    hit('first', 2, 'input'),
    hit('first', 2, 'output'),
    hit('gone', 2, 'input'),
  ];
  const rows = foundRows(hits, runs);
  expect(
    rows.map(({ runId, row, hits: found, otherAttempts }) => [runId, row, found.length, otherAttempts]),
  ).toEqual([
    ['other', 2, 1, 0],
    ['fix', 2, 2, 1],
    ['first', 1, 1, 0],
    ['gone', 2, 1, 0],
  ]);
  expect(rows.map(({ name }) => name)).toEqual(['March', 'contacts.csv', 'contacts.csv', undefined]);
  expect(rows.map(({ run }) => run?.runId)).toEqual(['other', 'fix', 'first', undefined]);
});

it('runs that repeat the same rows are named by the entry of the newest, unless the values differ', () => {
  const runs = ['new', 'old', 'oldest'].map((runId) => runView({ runId, source: 'contacts.csv' }));
  const changed = { ...hit('oldest', 2, 'output'), after: ' Lovelace' };
  const hits = [
    hit('new', 2, 'input'),
    hit('new', 3, 'input'),
    hit('old', 2, 'input'),
    { ...hit('old', 2, 'input'), workflowId: 'other', runId: 'elsewhere' },
    hit('oldest', 2, 'input'),
    changed,
    hit('oldest', 3, 'input'),
  ];
  const rows = foundRows(hits, runs);
  expect(rows.map(({ runId, row, same }) => [runId, row, same.map((older) => older.runId)])).toEqual([
    ['new', 2, ['old']],
    ['new', 3, ['oldest']],
    ['elsewhere', 2, []],
    ['oldest', 2, []],
  ]);
});

it('an entry counts the older runs that have its values, also those of one chain', () => {
  const runs = [
    runView({ runId: 'new', source: 'contacts.csv' }),
    runView({ runId: 'old', source: 'contacts.csv' }),
    runView({ runId: 'fix', chainId: 'old' }),
    runView({ runId: 'edit', chainId: 'old' }),
  ];
  const changed = { ...hit('edit', 2, 'input'), after: ' Lovelace' };
  const [entry, ...others] = foundRows(
    [hit('new', 2, 'input'), hit('fix', 2, 'input'), changed, hit('old', 2, 'input')],
    runs,
  );
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ runId: 'new', sameAttempts: 1 });
  expect(entry?.same).toMatchObject([{ runId: 'fix', otherAttempts: 2, sameAttempts: 2 }]);
});
