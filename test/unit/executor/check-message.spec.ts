import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latencyBuckets } from '../../../src-main/domain/results/latency-bucket.ts';
import {
  batchDoneSchema,
  checkMessage,
  isUsualResult,
} from '../../../src-main/executor/process/check-message.ts';
import { maxSharedBytes } from '../../../src-main/executor/plan.ts';
import type { FromWorker, BatchDone } from '../../../src-main/executor/protocol.ts';

const node = {
  nodeId: 'a',
  done: 1,
  failed: 0,
  skipped: 0,
  replaced: 0,
  retries: 0,
  micros: 5,
  buckets: [5, 1],
};
const done = (result: object): FromWorker =>
  ({
    type: 'batch-done',
    batchId: 1,
    result: { rows: 1, failures: [], nodes: [node], trace: Buffer.from('{}\n'), ...result },
    endsRun: false,
  }) as unknown as BatchDone;

it('a message of our own worker is accepted', () => {
  const message = done({});
  expect(checkMessage(message)).toBe(message);
  expect(checkMessage({ type: 'alive' })).toEqual({ type: 'alive' });
});

it('statistics are accepted with and without tokens', () => {
  for (const nodes of [[{ ...node, tokens: { prompt: 1, completion: 0 } }], []]) {
    const message = done({ nodes });
    expect(checkMessage(message)).toBe(message);
  }
});

it.each([
  ['statistics that are none', { nodes: 'all' }],
  ['a count below nothing', { nodes: [{ ...node, done: -1 }] }],
  ['a count that is no number', { nodes: [{ ...node, micros: '1' }] }],
  ['half a count', { nodes: [{ ...node, done: 0.5 }] }],
  ['a count that no number holds', { nodes: [{ ...node, done: 2 ** 53 }] }],
  ['a bucket that is no number', { nodes: [{ ...node, buckets: [5, '1'] }] }],
  ['a node without a name', { nodes: [{ ...node, nodeId: 1 }] }],
  ['a name without end', { nodes: [{ ...node, nodeId: 'a'.repeat(201) }] }],
  ['statistics that say less', { nodes: [{ ...node, buckets: undefined }] }],
  ['statistics that say more', { nodes: [{ ...node, more: 1 }] }],
  ['tokens below nothing', { nodes: [{ ...node, tokens: { prompt: -1, completion: 0 } }] }],
  ['no node', { nodes: [null] }],
  ['half a bucket', { nodes: [{ ...node, buckets: [5] }] }],
  ['buckets without end', { nodes: [{ ...node, buckets: new Array(10_000).fill(1) }] }],
  ['a trace that ends inside a line', { trace: Buffer.from('{}') }],
  ['a count of rows that is none', { rows: 'all' }],
  ['failures that are none', { failures: 'all' }],
  ['a failure that says less', { failures: [{ row: 1 }] }],
])('refuses %s', (_, result) => {
  expect(() => checkMessage(done(result))).toThrow();
});

it('the schema accepts every result that is taken without it', () => {
  const strange = fc.oneof(
    fc.anything(),
    fc.integer(),
    fc.double(),
    fc.constantFrom(-0, 2 ** 53, NaN, null, '1', {}, []),
  );
  const usual = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: strange });
  const counts = usual(fc.nat());
  const buckets = fc.oneof(
    fc.array(counts, { maxLength: 9 }),
    fc.array(counts, { minLength: 2 * latencyBuckets - 2, maxLength: 2 * latencyBuckets + 4 }),
  );
  const name = fc.oneof(fc.string(), fc.string({ minLength: 198, maxLength: 203, unit: 'binary' }));
  const members = {
    ...{ nodeId: usual(name), buckets: usual(buckets), done: counts, failed: counts },
    ...{ skipped: counts, replaced: counts, retries: counts, micros: counts },
  };
  const more = { tokens: strange, calls: strange, ['__proto__']: strange, more: strange };
  const nodes = fc.oneof(
    fc.record(members),
    fc.record({ ...members, ...more }, { requiredKeys: ['nodeId', 'done', 'micros', 'buckets'] }),
  );
  const result = fc.record({
    rows: counts,
    failures: usual(fc.constant([])),
    nodes: usual(fc.array(usual(nodes), { maxLength: 3 })),
  });
  const message = fc.record({ batchId: counts, endsRun: usual(fc.boolean()), result: usual(result) });
  let taken = 0;
  fc.assert(
    fc.property(message, (sent) => {
      const arrived = JSON.parse(JSON.stringify(sent)) as object;
      if (!isUsualResult(arrived)) return;
      taken += 1;
      expect(batchDoneSchema.safeParse(arrived).success).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(taken).toBeGreaterThan(200);
});

const call = {
  type: 'call',
  call: 1,
  batchId: 1,
  origin: { row: 1, site: 'a', attempt: 1 },
  request: { method: 'GET', url: 'https://api.example.com/', headers: [['accept', '*/*']] },
};

const sharedOutput = (text: string) => ({
  ...{ type: 'claim-ended', claim: 1, call: 2, batchId: 1, hasFailed: false },
  text,
});

it('a call, a shared output, a wait and an attempt of our own worker are accepted', () => {
  const messages = [
    call,
    sharedOutput('é'.repeat(maxSharedBytes / 2)),
    { type: 'wait', wait: 1, batchId: 1, ms: 0.5, row: 1, nodeId: 'a' },
    { type: 'node-started', nodeId: 'a', attempt: 1, allowedMs: 5000, timeoutMessage: 'too long' },
  ] as FromWorker[];
  for (const message of messages) expect(checkMessage(message)).toBe(message);
});

it.each([
  ['a call from nowhere', { ...call, origin: undefined }],
  ['a call without an address', { ...call, request: { ...call.request, url: 7 } }],
  ['headers that are none', { ...call, request: { ...call.request, headers: { accept: '*/*' } } }],
  ['an output of a shared workflow that is too long', sharedOutput('x'.repeat(maxSharedBytes + 1))],
  ['an output whose characters fit, but not its bytes', sharedOutput('é'.repeat(maxSharedBytes / 2 + 1))],
  ['a wait without end', { type: 'wait', wait: 1, batchId: 1, ms: 1e12, row: 1, nodeId: 'a' }],
  ['a wait that is no number', { type: 'wait', wait: 1, batchId: 1, ms: 'soon', row: 1, nodeId: 'a' }],
  ['a wait of no row', { type: 'wait', wait: 1, batchId: 1, ms: 1 }],
  ['a message of no known type', { type: 'store' }],
  ['a pause that has no number', { type: 'paused', pauseId: 'all' }],
  ['a rest that has heard nothing', { type: 'idle' }],
  ['a run that could not be taken, without why', { type: 'load-failed' }],
  ['an attempt without a node', { type: 'node-started', attempt: 1, allowedMs: 1, timeoutMessage: '' }],
])('refuses %s', (_, message) => {
  expect(() => checkMessage(message as unknown as FromWorker)).toThrow();
});
