import { expect, it } from 'vitest';
import { checkMessage } from '../../../src-main/executor/process/check-message.ts';
import type { FromWorker, PortionDone } from '../../../src-main/executor/protocol.ts';

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
    type: 'portion-done',
    portion: 1,
    result: { nodes: [node], trace: Buffer.from('{}\n'), ...result },
    endsRun: false,
  }) as unknown as PortionDone;

it('believes a message that our own worker sends', () => {
  const message = done({});
  expect(checkMessage(message)).toBe(message);
  expect(checkMessage({ type: 'alive' })).toEqual({ type: 'alive' });
});

it.each([
  ['statistics that are none', { nodes: 'all' }],
  ['a count below nothing', { nodes: [{ ...node, done: -1 }] }],
  ['a count that is no number', { nodes: [{ ...node, micros: '1' }] }],
  ['half a bucket', { nodes: [{ ...node, buckets: [5] }] }],
  ['buckets without end', { nodes: [{ ...node, buckets: new Array(10_000).fill(1) }] }],
  ['a trace that ends inside a line', { trace: Buffer.from('{}') }],
])('refuses %s', (_, result) => {
  expect(() => checkMessage(done(result))).toThrow();
});
