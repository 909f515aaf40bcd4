import { describe, expect, it } from 'vitest';
import { causeOf, groupFailures } from '../../../../src-main/domain/results/failure-causes.ts';

describe('the cause of a failure', () => {
  it.each([
    [
      'HTTP 500 from GET https://api.example.com/users/17?id=3',
      'HTTP 500 from GET https://api.example.com/users/…',
    ],
    ['HTTP 404 from GET http://127.0.0.1:4171/v2/x', 'HTTP 404 from GET http://127.0.0.1:4171/…/x'],
    ['Row 12: "Ada Lovelace" is no number', 'Row …: “…” is no number'],
    ['took longer than 1,500.5 ms', 'took longer than … ms'],
    ['E11000 duplicate key\n  at line', 'E11000 duplicate key at line'],
    ['لا يوجد سطر 7', 'لا يوجد سطر …'],
    ['no such user ada.17@example.com', 'no such user …'],
    ['no such user ada+list@mail.example.com, tell her', 'no such user …, tell her'],
    ['usr_8f3a9c is gone since 2026-11-21T15:48:04.123Z', '… is gone since …'],
    ['GET https://api2.example.com/v2x/a failed for user12', 'GET https://api2.example.com/…/a failed for …'],
    ['HTTP 429: request req-12ab was one too many', 'HTTP 429: request … was one too many'],
  ])('of %s is %s', (message, cause) => {
    expect(causeOf(message)).toBe(cause);
  });

  it('is as long as a line, whatever the message', () => {
    expect(causeOf('x'.repeat(1_000_000))).toHaveLength(200);
    expect(causeOf('"'.repeat(1_000_000)).length).toBeLessThanOrEqual(200);
  });
});

describe('failures', () => {
  it('with long unbroken texts are grouped without a hang: the time grows with their length, not its square', () => {
    const texts = ['A'.repeat(2_000), `https://example.com/${'a'.repeat(2_000)}`, `${'1'.repeat(2_000)}a`];
    const failures = Array.from({ length: 3_000 }, (_, n) => ({
      row: n + 1,
      nodeId: 'a',
      message: texts[n % texts.length] ?? '',
      attempts: 1,
    }));
    expect(groupFailures(failures)).toHaveLength(texts.length);
  });

  it('with an address or an id in each message are one group', () => {
    const failures = Array.from({ length: 400 }, (_, n) => {
      const message = `no account for person.${n}@example.com (order a${n}f)`;
      return { row: n + 1, nodeId: 'a', message, attempts: 1 };
    });
    expect(groupFailures(failures)).toMatchObject([{ cause: 'no account for … (order …)', rows: 400 }]);
  });

  it('are gathered by node and cause, the most frequent first; a single one keeps its words', () => {
    const failure = (row: number, nodeId: string, message: string) => ({ row, nodeId, message, attempts: 1 });
    expect(
      groupFailures([
        failure(1, 'a', 'no 1'),
        failure(2, 'b', 'no 2'),
        failure(3, 'b', 'no 3'),
        failure(4, 'b', 'other 4'),
      ]),
    ).toEqual([
      { nodeId: 'b', cause: 'no …', rows: 2, firstRows: [2, 3], message: 'no 2' },
      { nodeId: 'a', cause: 'no 1', rows: 1, firstRows: [1], message: 'no 1' },
      { nodeId: 'b', cause: 'other 4', rows: 1, firstRows: [4], message: 'other 4' },
    ]);
  });

  const causesOf = (...messages: string[]) =>
    groupFailures(messages.map((message, at) => ({ row: at + 1, nodeId: 'a', message, attempts: 1 }))).map(
      ({ cause, rows }) => [rows, cause],
    );

  it('keep a name that is the same in all their messages', () => {
    expect(
      causesOf(
        "TypeError: Cannot read properties of undefined (reading 'size')",
        "TypeError: Cannot read properties of undefined (reading 'size')",
      ),
    ).toEqual([[2, "TypeError: Cannot read properties of undefined (reading 'size')"]]);
    expect(causesOf('"12k" is not 7', '"12k" is not 8')).toEqual([[2, '"12k" is not …']]);
    expect(causesOf('"12k" is not 7', '"13k" is not 7', '"12k" is not 7')).toEqual([[3, '“…” is not 7']]);
  });

  it('with different fields are different causes', () => {
    expect(
      causesOf(
        'field "name" is missing (required)',
        'field "email" is missing (required)',
        'field "email" is missing (required)',
      ),
    ).toEqual([
      [2, 'field "email" is missing (required)'],
      [1, 'field "name" is missing (required)'],
    ]);
  });

  it('with values of the wrong type are one cause for each field', () => {
    expect(
      causesOf(
        'size1: "12k" is not a number',
        'size2: "13k" is not a number',
        'size1: "14k" is not a number',
        'name: 7 is not text',
      ),
    ).toEqual([
      [2, 'size1: “…” is not a number'],
      [1, 'size2: "13k" is not a number'],
      [1, 'name: 7 is not text'],
    ]);
  });

  it('keep a word inside an address that is the same in all', () => {
    expect(
      causesOf('HTTP 500 from GET http://a.example/v2/x/17', 'HTTP 500 from GET http://a.example/v2/x/18'),
    ).toEqual([[2, 'HTTP 500 from GET http://a.example/v2/x/…']]);
  });
});
