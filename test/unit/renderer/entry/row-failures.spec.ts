import { describe, expect, it } from 'vitest';
import { explainFailures, fieldAtFault } from '../../../../src-renderer/state/entry/row-failures.ts';

describe('a failure', () => {
  const row = { email: 'alan(at)b.c', age: '12k', city: 'Rome', 'full name': 5, size: 12, ok: 'no' };

  it.each([
    ['field "phone" is missing (required)', undefined, 'phone'],
    ['Error: the field "age" is odd', ['city'], 'age'],
    ['age: "12k" is not a number', ['city'], 'age'],
    ['Error: age: "12k" is not a number', undefined, 'age'],
    ['full name: 5 is not text', undefined, 'full name'],
    // The field that the node reads, and not the one whose value the message quotes.
    ['The size of alan(at)b.c is negative', ['size'], 'size'],
    ['The size of alan(at)b.c is negative', ['size', 'email'], 'size'],
    ['Error: no', ['ok'], 'ok'],
    ['HTTP 500', ['email'], 'email'],
    ['alan(at)b.c is not an email address: no @', ['email', 'city'], 'email'],
    ['"email" must have an @', ['email', 'age'], 'email'],
    // None is certain.
    ['"email" must have an @', undefined, undefined],
    ['alan(at)b.c is not an email address: no @', undefined, undefined],
    ['size and city differ', ['size', 'city'], undefined],
    ['12k or Rome', ['age', 'city'], undefined],
    ['Romeo is unknown', ['city', 'age'], undefined],
    ['HTTP 500', ['email', 'age'], undefined],
    ['HTTP 500', [], undefined],
  ])('%j of a node that reads %j is about the field %s', (message, read, field) => {
    expect(fieldAtFault(message, row, read)).toBe(field);
  });

  it('is found by the number of its row, and counted by its cause', async () => {
    const rows = [{ email: 'a(at)b' }, { email: 'c(at)d' }, { email: 'e@f' }];
    const failures = await explainFailures(
      {
        head: { fieldsRead: { email: ['email'] } },
        lines: [
          [3, 'email', 'a(at)b is not an email address: no @'],
          [7, 'email', 'c(at)d is not an email address: no @'],
          [9, 'crm', 'HTTP 500'],
          [10, 'crm', 'HTTP 500'],
        ],
      },
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
