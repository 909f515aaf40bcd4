import { describe, expect, it } from 'vitest';
import type { CallContent, LoggedCall } from '#contract';
import { callAsCurl, harPieces } from '../../../../src-renderer/state/log/call-export.ts';
import {
  addNewerCalls,
  addOlderCalls,
  choicesOf,
  filterCalls,
  freezeCalls,
  noKeyLabel,
  outcomeOf,
  shortPath,
  tightestLimit,
} from '../../../../src-renderer/state/log/call-list.ts';
import { emptyContent, loggedCall } from '../../../builders/logged-call.ts';

const calls = (...numbers: number[]): LoggedCall[] => numbers.map((number) => loggedCall({ number }));
const numbersOf = (all: readonly LoggedCall[]): number[] => all.map(({ number }) => number);

describe('the list of calls', () => {
  it('grows at its top, loses what is not kept, and takes a call but once', () => {
    expect(numbersOf(addNewerCalls(calls(3, 2, 1), calls(5, 4, 3), 2))).toEqual([5, 4, 3, 2]);
    expect(numbersOf(addNewerCalls([], calls(2, 1), 1))).toEqual([2, 1]);
    expect(numbersOf(addNewerCalls(calls(3, 2), calls(9, 8), 8))).toEqual([9, 8]);
    expect(numbersOf(addOlderCalls(calls(5, 4), calls(4, 3, 2)))).toEqual([5, 4, 3, 2]);
  });

  it('keeps its rows in place while the user looks at them', () => {
    expect(freezeCalls(2, calls(4, 3, 2, 1))).toEqual({ calls: calls(2, 1), waiting: 2 });
    expect(freezeCalls(undefined, calls(2, 1)).waiting).toBe(0);
    expect(freezeCalls(1, calls(4, 3))).toEqual({ calls: [], waiting: 2 });
  });

  it('is filtered by outcome, method, key, workflow and words', () => {
    const other = loggedCall({
      number: 2,
      status: 429,
      method: 'POST',
      workflowId: 'score',
      key: { id: 'k2', name: 'CI عمر', last4: 'abcd' },
      refusal: { code: 'rate_limited', message: 'Rate limit exceeded', limit: 'trigger' },
    });
    const all = [other, loggedCall()];
    const found = (filter: Parameters<typeof filterCalls>[1]) => numbersOf(filterCalls(all, filter));
    expect(found({ text: '' })).toEqual([2, 1]);
    expect(found({ text: '', outcome: 'limited' })).toEqual([2]);
    expect(found({ text: '', method: 'GET' })).toEqual([1]);
    expect(found({ text: '', keyId: 'k2', workflowId: 'score' })).toEqual([2]);
    expect(found({ text: 'عمر EXCEEDED' })).toEqual([2]);
    expect(found({ text: 'abcd 200' })).toEqual([]);
    expect([...choicesOf(all).keys.values()]).toEqual(['CI عمر …abcd', 'My key …7f2a']);
  });

  it.each([
    [200, 'answered'],
    [201, 'answered'],
    [404, 'refused'],
    [429, 'limited'],
    [503, 'failed'],
    [0, 'cut'],
  ] as const)('tells how a call answered with %i went', (status, outcome) => {
    expect(outcomeOf({ status })).toBe(outcome);
    expect(outcomeOf({ status, isCut: true })).toBe('cut');
  });

  it('shortens addresses, and shows the limit that is nearest to its end', () => {
    expect(shortPath('/api/v1/workflows/w/runs/01a1fe70-69fd-725d-a672-437536489ad7/async/status')).toEqual({
      workflow: 'w',
      rest: '/runs/…36489ad7/async/status',
    });
    expect(shortPath('/api/v1/other?q=/x')).toEqual({ workflow: '', rest: '/api/v1/other?q=/x' });
    const charged = [
      { limit: 'status', used: 7, of: 50 },
      { limit: 'status-per-run', used: 3, of: 6 },
    ] as const;
    expect(tightestLimit(loggedCall({ charged }))?.limit).toBe('status-per-run');
    expect(tightestLimit(loggedCall())).toBeUndefined();
  });
});

describe('a call as curl', () => {
  const content: CallContent = {
    ...emptyContent,
    requestHeaders: [
      ['host', '127.0.0.1:1'],
      ['x-service-key', '•••'],
      ['content-type', 'application/json'],
      ['user-agent', 'node'],
    ],
    sent: { text: `{"a":"it's"}`, bytes: 12, isWhole: true },
  };
  const post = loggedCall({ method: 'POST', path: '/api/v1/workflows/w/runs/async' });

  it('has the key from the shell, and the body as it was', () => {
    expect(callAsCurl('http://h', post, content)).toBe(
      [
        `curl -sS -X POST 'http://h/api/v1/workflows/w/runs/async' \\`,
        `  -H "x-service-key: $ROWBENCH_KEY" \\`,
        `  -H 'content-type: application/json' \\`,
        `  --data-raw '{"a":"it'\\''s"}'`,
      ].join('\n'),
    );
  });

  it('names a file in place of a body that is not kept whole', () => {
    const cut = { ...content, sent: { ...content.sent, isWhole: false } };
    expect(callAsCurl('http://h', post, cut)).toMatch(/^# The body was not kept whole.*\n.*/);
    expect(callAsCurl('http://h', post, cut)).toContain('--data-binary @body.json');
  });

  it('sends a body that begins with @ and an address with brackets as they are', () => {
    const at = { ...content, sent: { ...content.sent, text: '@/etc/hosts' } };
    const line = callAsCurl('http://[::1]:1', { ...post, path: '/api/v1/x?ids[]={a,b}' }, at);
    expect(line).toContain("--data-raw '@/etc/hosts'");
    expect(line).toContain("curl -sS -g -X POST 'http://[::1]:1/api/v1/x?ids[]={a,b}'");
  });
});

it('a HAR file is put together of pieces, oldest first, without what has gone meanwhile', async () => {
  const requests: number[][] = [];
  const call = async (_name: string, { numbers }: { numbers: number[] }) => {
    requests.push(numbers);
    const taken = numbers.slice(0, 2);
    return { entries: taken.filter((n) => n !== 2).map((n) => ({ n })), taken: taken.length };
  };
  const pieces = await harPieces(call as never, [5, 4, 3, 2, 1], '1.0');
  expect(JSON.parse(pieces.join(''))).toEqual({
    log: {
      version: '1.2',
      creator: { name: 'Rowbench', version: '1.0' },
      entries: [{ n: 1 }, { n: 3 }, { n: 4 }, { n: 5 }],
    },
  });
  expect(requests).toEqual([[1, 2, 3, 4, 5], [3, 4, 5], [5]]);
});

describe('a call without an accepted key', () => {
  const refused = { code: 'invalid_key', message: 'Invalid service key' } as const;
  const keyless = loggedCall();
  Reflect.deleteProperty(keyless, 'key');

  it.each([
    ['no key', { keyLocation: 'nowhere', refusal: refused }],
    ['invalid key', { keyLocation: 'header', refusal: refused }],
    ['wrong header', { keyLocation: { elsewhere: 'authorization' }, refusal: refused }],
    ['not checked', { keyLocation: 'header', refusal: { code: 'route_not_found', message: 'Not found' } }],
    ['not checked', { keyLocation: 'nowhere', status: 0 }],
  ] as const)('is said to have: %s', (words, call) => {
    expect(noKeyLabel({ ...keyless, ...call })).toBe(words);
  });
});
