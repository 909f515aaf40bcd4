import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyCassette, type Cassette } from '../../../../src-main/domain/cassette/cassette.ts';
import { readCassette } from '../../../../src-main/domain/cassette/read-cassette.ts';
import {
  cassetteText,
  Recording,
  type RecordedCall,
} from '../../../../src-main/domain/cassette/recording.ts';
import { recordedCall } from '../../../builders/recorded-call.ts';

function record(calls: readonly RecordedCall[], base: Cassette = emptyCassette): Cassette {
  const recording = new Recording(base);
  for (const call of calls) recording.take(call);
  return recording.cassette();
}

const answersOf = ({ entries }: Cassette): unknown[] =>
  entries.map(({ place: site, responses }) => [
    ...(site === undefined ? [] : [site]),
    ...responses.map((response) => ('json' in response ? response.json : response)),
  ]);

const request = (path: string) => ({ method: 'GET', url: `https://api.example.com/${path}` });

describe('a recording', () => {
  it('keeps the answers to all attempts of a row in order', () => {
    const calls = [recordedCall({ attempt: 1, status: 429, answer: 'later' }), recordedCall({ attempt: 2 })];
    expect(answersOf(record(calls))).toEqual([[{ answer: 'later' }, { answer: 'yes' }]]);
  });

  it('keeps of equal requests what the first row got, whoever was answered first', () => {
    const calls = [3, 1, 2].map((row) => recordedCall({ row, answer: row }));
    expect(answersOf(record(calls))).toEqual([[{ answer: 1 }]]);
  });

  // Such requests were replayed with the first answer without a word.
  it('counts the requests that got different answers, for each run and in all', () => {
    const recording = new Recording(emptyCassette);
    const take = (call: Partial<Parameters<typeof recordedCall>[0]>): void =>
      void recording.take(recordedCall(call));
    for (const row of [3, 1, 2]) take({ request: request('count'), row, answer: row });
    for (const row of [1, 2, 3]) take({ request: request('same'), row, answer: 'same' });
    // A poll of two rows, a place of its own, and a row that ran twice.
    for (const row of [1, 2])
      for (const attempt of [1, 2]) take({ request: request('poll'), row, attempt, answer: attempt });
    for (const site of ['a', 'b']) take({ request: request('places'), site, answer: site });
    for (const answer of ['lost', 'new']) take({ request: request('again'), answer });
    expect(recording.differingRequests()).toBe(1);
    for (const [runId, answer] of Object.entries({ 'run-7': 1, 'run-8': 2 }))
      take({ request: request('runs'), runId, answer });
    expect(recording.differingRequests()).toBe(2);
    expect(['run-7', 'run-8', 'run-9'].map((id) => recording.differingRequests(id))).toEqual([1, 1, 0]);
  });

  it('keeps the answers of a place of its own where they differ', () => {
    const calls = ['before', 'after', 'again'].map((site) =>
      recordedCall({ site, answer: site === 'before' ? 'old' : 'new' }),
    );
    expect(answersOf(record(calls))).toEqual([[{ answer: 'new' }], ['before', { answer: 'old' }]]);
  });

  it('begins a row anew when it asks its first attempt again', () => {
    const calls = [
      recordedCall({ attempt: 1, status: 500, answer: 'no' }),
      recordedCall({ attempt: 2, answer: 'lost' }),
      recordedCall({ attempt: 1, answer: 'yes' }),
    ];
    expect(answersOf(record(calls))).toEqual([[{ answer: 'yes' }]]);
  });

  it('is the same file in whichever order rows are answered', () => {
    const call = fc.record({
      row: fc.integer({ min: 1, max: 4 }),
      site: fc.constantFrom('a', 'b'),
      request: fc.constantFrom(request('x'), request('y'), request('z?q=1')),
      answer: fc.constantFrom('one', 'two'),
    });
    // One answer for each row, place and request, as in a run without retries.
    const calls = fc.uniqueArray(call, {
      selector: (made) => JSON.stringify([made.row, made.site, made.request]),
    });
    const inTwoOrders = calls.chain((made) =>
      fc.tuple(fc.constant(made), fc.shuffledSubarray(made, { minLength: made.length })),
    );
    fc.assert(
      fc.property(inTwoOrders, ([one, other]) => {
        expect(cassetteText(record(one.map(recordedCall)))).toBe(
          cassetteText(record(other.map(recordedCall))),
        );
      }),
    );
  });
});

describe('a recording over an older one', () => {
  const before = record([
    recordedCall({ request: request('a'), answer: 'old' }),
    recordedCall({ request: request('b'), answer: 'old' }),
  ]);
  const later = '2026-05-06T07:08:09.000Z';

  it('replaces the answers to equal requests and leaves the others', () => {
    const calls = [recordedCall({ request: request('b'), answer: 'new', at: later, row: 7 })];
    expect(answersOf(record(calls, before))).toEqual([[{ answer: 'old' }], [{ answer: 'new' }]]);
  });

  it('changes nothing where the answers are the same', () => {
    const calls = ['b', 'a'].map((path) =>
      recordedCall({ request: request(path), answer: 'old', at: later }),
    );
    expect(cassetteText(record(calls, before))).toBe(cassetteText(before));
  });

  it('does not count what it replaces against the size', () => {
    const large = 'x'.repeat(20_000_000);
    const full = record(['a', 'b'].map((path) => recordedCall({ request: request(path), answer: large })));
    const again = ['a', 'b'].map((path) => recordedCall({ request: request(path), answer: `${large}y` }));
    expect(record(again, full).entries).toHaveLength(2);
    expect(() => record([recordedCall({ request: request('c'), answer: large })], full)).toThrow(
      'The cassette would grow over 50 MB. Record fewer rows, or smaller answers',
    );
  });
});

describe('the text of a cassette', () => {
  const text = cassetteText(record([recordedCall()]));

  it('is read back as it was', () => {
    expect(readCassette(text)).toEqual({ cassette: record([recordedCall()]) });
  });

  it('has a line for each field', () => {
    expect(text.split('\n').slice(8, 28)).toEqual([
      '      "request": {',
      '        "method": "GET",',
      '        "url": "https://api.example.com/companies/acme"',
      '      },',
      '      "recordedAt": "2026-01-02T03:04:05.000Z",',
      '      "responses": [',
      '        {',
      '          "status": 200,',
      '          "json": {',
      '            "answer": "yes"',
      '          }',
      '        }',
      '      ]',
      '    }',
      '  ]',
      '}',
      '',
    ]);
  });

  it.each([
    ['{\n  "a" 1}', 'line 2, column 7: expected ":"'],
    ['{"rowbench":2}', 'a newer Rowbench is needed for its format'],
    ['[]', 'Expected'],
    ['{"rowbench":1}', 'Missing key "entries"'],
    ['{"rowbench":1,"entries":[{"responses":[{"status":200}]}]}', 'entries[0]: Missing key "request"'],
    [
      '{"rowbench":1,"entries":[{"request":{"method":"GET","url":"https://x"},"responses":[]}]}',
      'entries[0].responses',
    ],
    [
      '{"rowbench":1,"entries":[{"request":{"method":"GET","url":"https://x","json":1,"text":"1"},"responses":[{"failed":"no"}]}]}',
      'entries[0].request: Expected one body: json, text or base64',
    ],
  ])('is refused with the place where it is wrong: %s', (wrong, problem) => {
    const read = readCassette(wrong);
    expect('problem' in read && read.problem).toContain(problem);
  });
});
