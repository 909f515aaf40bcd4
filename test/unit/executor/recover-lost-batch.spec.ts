import { describe, expect, it } from 'vitest';
import {
  recoverLostBatch,
  type RecoveryAction,
  type PendingBatch,
} from '../../../src-main/executor/run/recover-lost-batch.ts';
import type { NodeStarted } from '../../../src-main/executor/protocol.ts';
import type { WorkerLoss } from '../../../src-main/executor/pool/row-worker.ts';

const time: WorkerLoss = { cause: 'time', message: 'time limit of 5 s exceeded' };
const memory: WorkerLoss = { cause: 'memory', message: 'memory limit of 256 MB exceeded' };
const crash: WorkerLoss = { cause: 'crash', message: 'the row worker crashed' };

const node: NodeStarted = {
  type: 'node-started',
  nodeId: 'x',
  attempt: 2,
  allowedMs: 100,
  timeoutMessage: 'timed out after 100 ms',
};

const batch: PendingBatch = {
  firstRow: 7,
  rows: 3,
  bytes: Buffer.from('{"a":1}\n{"b":"é"}\n{}\n'),
  isolated: false,
  presetFailures: [],
  crashes: 0,
};
const alone: PendingBatch = { ...batch, rows: 1, bytes: Buffer.from('{}\n'), isolated: true };

const recover = (lost: PendingBatch, loss: WorkerLoss, at?: NodeStarted): RecoveryAction =>
  recoverLostBatch(lost, { loss, node: at, firstNodeId: 'input' });

describe('recoverLostBatch', () => {
  it('reruns the rows of a batch one by one', () => {
    const action = recover(batch, time);
    const batches = action.kind === 'rerun' ? action.batches : [];
    expect(batches.map(({ firstRow, rows, isolated }) => [firstRow, rows, isolated])).toEqual([
      [7, 1, true],
      [8, 1, true],
      [9, 1, true],
    ]);
    expect(batches.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      '{"a":1}\n',
      '{"b":"é"}\n',
      '{}\n',
    ]);
  });

  it('leaves each row its number and the values that it is given', () => {
    const action = recover(
      { ...batch, numbers: [70, 80, 90], reusedValues: Buffer.from('[1]\n\n[3]\n') },
      time,
    );
    const batches = action.kind === 'rerun' ? action.batches : [];
    expect(
      batches.map(({ numbers, reusedValues = [] }) => [numbers, Buffer.from(reusedValues).toString()]),
    ).toEqual([
      [[70], '[1]\n'],
      [[80], '\n'],
      [[90], '[3]\n'],
    ]);
  });

  it('names the row by its number', () => {
    const lost = { ...alone, numbers: [80], crashes: 3 };
    expect(recover(lost, crash)).toMatchObject({ kind: 'failed', failure: { row: 80 } });
  });

  it.each([
    [time, 'timed out after 100 ms'],
    [memory, 'memory limit of 256 MB exceeded'],
  ])('fails the node at which a row alone was lost', (loss, message) => {
    expect(recover(alone, loss, node)).toEqual({
      kind: 'rerun',
      batches: [{ ...alone, presetFailures: [{ nodeId: 'x', message, attempts: 2 }] }],
    });
  });

  it('fails the row when the node that was failed already is the culprit again', () => {
    const presetFailures = [{ nodeId: 'x', message: 'earlier', attempts: 1 }];
    expect(recover({ ...alone, presetFailures }, memory, node)).toEqual({
      kind: 'failed',
      failure: { row: 7, nodeId: 'x', message: memory.message, attempts: 2 },
    });
  });

  it('keeps the nodes that failed before when another one is the culprit', () => {
    const presetFailures = [{ nodeId: 'w', message: 'earlier', attempts: 1 }];
    const action = recover({ ...alone, presetFailures }, memory, node);
    expect(action.kind === 'rerun' && action.batches[0]?.presetFailures.map(({ nodeId }) => nodeId)).toEqual([
      'w',
      'x',
    ]);
  });

  it('forgives a crash without a reason three times', () => {
    expect(recover({ ...alone, crashes: 2 }, crash, node)).toEqual({
      kind: 'rerun',
      batches: [{ ...alone, crashes: 3 }],
    });
    expect(recover({ ...alone, crashes: 3 }, crash, node)).toMatchObject({
      kind: 'rerun',
      batches: [{ presetFailures: [{ nodeId: 'x', message: 'the row worker crashed' }] }],
    });
  });

  it('blames the first node when the row was lost before any began', () => {
    expect(recover({ ...alone, crashes: 3 }, crash)).toEqual({
      kind: 'failed',
      failure: { row: 7, nodeId: 'input', message: 'the row worker crashed', attempts: 1 },
    });
  });
});
