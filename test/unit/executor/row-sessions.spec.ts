import { expect, it } from 'vitest';
import { RowSessions } from '../../../src-main/executor/run/row-sessions.ts';

const at = (row: number, site = 'orders') => ({ row, site, attempt: 1 });

it('a row, a called workflow and a name have cookies of their own', async () => {
  const sessions = new RowSessions();
  const cookies = await sessions.cookiesOf(at(1), 'crm');
  expect(await sessions.cookiesOf(at(1, 'login'), 'crm')).toBe(cookies);
  expect(await sessions.cookiesOf(at(1, 'orders[3]'), 'crm')).toBe(cookies);
  const others = [
    await sessions.cookiesOf(at(2), 'crm'),
    await sessions.cookiesOf(at(1), 'shop'),
    await sessions.cookiesOf(at(1, 'people[0]/login'), 'crm'),
    await sessions.cookiesOf(at(1, 'people[1]/login'), 'crm'),
  ];
  expect(new Set([cookies, ...others]).size).toBe(5);
  expect(await sessions.cookiesOf(at(1, 'people[1]/orders'), 'crm')).toBe(others[3]);
});

it('rows that have ended begin without cookies if they run again', async () => {
  const sessions = new RowSessions();
  const before = await Promise.all([1, 5, 9].map((row) => sessions.cookiesOf(at(row), 'crm')));
  sessions.endRows({ firstRow: 1, numbers: [5, 7], rows: 2 });
  const after = await Promise.all([1, 5, 9].map((row) => sessions.cookiesOf(at(row), 'crm')));
  expect(after.map((cookies, index) => cookies === before[index])).toEqual([true, false, true]);
});
