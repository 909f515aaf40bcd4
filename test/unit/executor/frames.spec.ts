import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  FrameReader,
  frameFromWorker,
  frameToWorker,
  messageFromWorker,
  messageToWorker,
} from '../../../src-main/executor/process/frames.ts';
import type { FromWorker, ToWorker } from '../../../src-main/executor/protocol.ts';

/** Messages read from the frames' bytes in pieces of these sizes, which are repeated until the end. */
function read<T>(
  frames: readonly Uint8Array[],
  sizes: readonly number[],
  toMessage: typeof messageToWorker,
): T[] {
  const bytes = Buffer.concat(frames);
  const messages: unknown[] = [];
  const reader = new FrameReader((head, parts) => messages.push(toMessage(head, parts)));
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    // The reader must not hold on to the piece: its memory is used again.
    const copy = Buffer.from(bytes.subarray(at, at + size));
    reader.readBytes(copy);
    copy.fill(0);
    at += size;
  }
  return messages as T[];
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const someBytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((array) => Buffer.from(array));
const batch = fc
  .record(
    {
      id: fc.nat(),
      firstRow: fc.nat(),
      rows: fc.nat(),
      bytes,
      numbers: fc.array(fc.nat()),
      reusedValues: someBytes,
    },
    { requiredKeys: ['id', 'firstRow', 'rows', 'bytes'] },
  )
  .map((fields): ToWorker => ({
    type: 'batch',
    batch: { ...fields, isolated: false, presetFailures: [], detail: 'usual' },
  }));
const answer = fc.record({ body: bytes, status: fc.nat(599) }).map(({ body, status }): ToWorker => ({
  type: 'call-answered',
  ms: 12,
  call: 2,
  answer: { kind: 'answered', status, headers: [['content-type', 'text/plain']], body },
}));
const other = fc.constantFrom<ToWorker>(
  { type: 'resume' },
  { type: 'pause', pauseId: 3 },
  { type: 'wait-ended', wait: 7 },
  { type: 'call-answered', call: 9, answer: { kind: 'failed', message: 'no answer' }, ms: 3 },
);
const done = fc
  .record({ outputs: bytes, states: bytes, trace: bytes, message: fc.string({ unit: 'binary' }) })
  .map(({ outputs, states, trace, message }): FromWorker => ({
    type: 'batch-done',
    batchId: 1,
    result: {
      rows: 1,
      outputs,
      states,
      failures: [{ row: 1, nodeId: 'n', message, attempts: 1 }],
      trace,
      nodes: [],
    },
    endsRun: true,
  }));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

it('a worker gets its messages unchanged, however the bytes were cut', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(batch, answer, other), { maxLength: 6 }), sizes, (messages, cuts) => {
      const frames = messages.flatMap((message) => [...frameToWorker(message)]);
      expect(read<ToWorker>(frames, cuts, messageToWorker)).toEqual(messages);
    }),
  );
});

it('the main process gets messages of a worker unchanged, however the bytes were cut', () => {
  fc.assert(
    fc.property(fc.array(done, { maxLength: 6 }), sizes, (messages, cuts) => {
      const frames = messages.flatMap((message) => [...frameFromWorker(message)]);
      const got = read<FromWorker>(frames, cuts, messageFromWorker as unknown as typeof messageToWorker);
      expect(got).toEqual(messages);
    }),
  );
});

it('a frame has the rows themselves, not a copy', () => {
  const rows = Buffer.from('{"n":1}\n');
  const frame = frameToWorker({
    type: 'batch',
    batch: { id: 1, firstRow: 1, rows: 1, bytes: rows, isolated: false, presetFailures: [], detail: 'usual' },
  });
  expect(frame[1]).toBe(rows);
});

it('batches have one hidden class, so that the code that runs rows is compiled once', () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameMap = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
    ...objects: readonly unknown[]
  ) => boolean;
  const batches = Array.from({ length: 40 }, (_, id) => {
    const head: unknown = JSON.parse(`{"type":"batch","batch":{"id":${id},"firstRow":1,"rows":2}}`);
    const message = messageToWorker(head, [new Uint8Array(3), new Uint8Array(0)]);
    return message.type === 'batch' ? message.batch : undefined;
  });
  const changes = batches.filter((batch, at) => at > 0 && !haveSameMap(batch, batches[at - 1]));
  expect(changes).toEqual([]);
});
