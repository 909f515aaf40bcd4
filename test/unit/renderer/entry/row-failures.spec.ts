import { describe, expect, it } from 'vitest';
import { explainFailures, fieldAtFault } from '../../../../src-renderer/state/entry/row-failures.ts';

describe('a failure', () => {
  const row = { email: 'alan(at)b.c', age: '12k', city: 'Rome', 'full name': 5, size: 12, ok: 'no' };

  it.each([
    ['field "phone" is missing (required)', 'phone'],
    ['age: "12k" is not a number', 'age'],
    ['full name: 5 is not text', 'full name'],
    ['Error: no', undefined],
    ['alan(at)b.c is not an email address: no @', 'email'],
    ['"email" must have an @', 'email'],
    ['nobody lives in Rome', 'city'],
    ['Romeo is unknown', undefined],
    ['HTTP 500', undefined],
    ['no', undefined],
    ['12k or Rome', undefined],
  ])('%j is about the field %s', (message, field) => {
    expect(fieldAtFault(message, row)).toBe(field);
  });

  it('is found by the number of its row, and counted by its cause', async () => {
    const rows = [{ email: 'a(at)b' }, { email: 'c(at)d' }, { email: 'e@f' }];
    const failures = await explainFailures(
      [
        [3, 'email', 'a(at)b is not an email address: no @'],
        [7, 'email', 'c(at)d is not an email address: no @'],
        [9, 'crm', 'HTTP 500'],
        [10, 'crm', 'HTTP 500'],
      ],
      { rows, numbers: [3, 7, 9] },
    );
    expect(failures.causes.map(({ nodeId, rows: count }) => [nodeId, count])).toEqual([
      ['email', 2],
      ['crm', 1],
    ]);
    expect(failures.reasonOf({ cells: [], origin: 7 })).toMatchObject({
      nodeId: 'email',
      field: { name: 'email', value: 'c(at)d' },
      cause: failures.causes[0],
    });
    expect(failures.reasonOf({ cells: [], origin: 10 })).toBeUndefined();
    expect(failures.reasonOf({ cells: [] })).toBeUndefined();
  });
});
