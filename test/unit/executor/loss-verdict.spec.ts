import { describe, expect, it } from 'vitest';
import { judgeLoss, type Verdict, type Work } from '../../../src-main/executor/run/loss-verdict.ts';
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
  overtime: 'timed out after 100 ms',
};

const batch: Work = {
  firstRow: 7,
  rows: 3,
  bytes: Buffer.from('{"a":1}\n{"b":"é"}\n{}\n'),
  careful: false,
  forced: [],
  crashes: 0,
};
const alone: Work = { ...batch, rows: 1, bytes: Buffer.from('{}\n'), careful: true };

const judge = (work: Work, loss: WorkerLoss, at?: NodeStarted): Verdict =>
  judgeLoss(work, { loss, node: at, firstNodeId: 'input' });

describe('judgeLoss', () => {
  it('reruns the rows of a batch one by one', () => {
    const verdict = judge(batch, time);
    const works = verdict.kind === 'rerun' ? verdict.works : [];
    expect(works.map(({ firstRow, rows, careful }) => [firstRow, rows, careful])).toEqual([
      [7, 1, true],
      [8, 1, true],
      [9, 1, true],
    ]);
    expect(works.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      '{"a":1}\n',
      '{"b":"é"}\n',
      '{}\n',
    ]);
  });

  it('leaves each row its number and the values that it is given', () => {
    const verdict = judge({ ...batch, numbers: [70, 80, 90], given: Buffer.from('[1]\n\n[3]\n') }, time);
    const works = verdict.kind === 'rerun' ? verdict.works : [];
    expect(works.map(({ numbers, given = [] }) => [numbers, Buffer.from(given).toString()])).toEqual([
      [[70], '[1]\n'],
      [[80], '\n'],
      [[90], '[3]\n'],
    ]);
  });

  it('names the row by its number', () => {
    const work = { ...alone, numbers: [80], crashes: 3 };
    expect(judge(work, crash)).toMatchObject({ kind: 'failed', failure: { row: 80 } });
  });

  it.each([
    [time, 'timed out after 100 ms'],
    [memory, 'memory limit of 256 MB exceeded'],
  ])('fails the node at which a row alone was lost', (loss, message) => {
    expect(judge(alone, loss, node)).toEqual({
      kind: 'rerun',
      works: [{ ...alone, forced: [{ nodeId: 'x', message, attempts: 2 }] }],
    });
  });

  it('fails the row when the node that was failed already is the culprit again', () => {
    const forced = [{ nodeId: 'x', message: 'earlier', attempts: 1 }];
    expect(judge({ ...alone, forced }, memory, node)).toEqual({
      kind: 'failed',
      failure: { row: 7, nodeId: 'x', message: memory.message, attempts: 2 },
    });
  });

  it('keeps the nodes that failed before when another one is the culprit', () => {
    const forced = [{ nodeId: 'w', message: 'earlier', attempts: 1 }];
    const verdict = judge({ ...alone, forced }, memory, node);
    expect(verdict.kind === 'rerun' && verdict.works[0]?.forced.map(({ nodeId }) => nodeId)).toEqual([
      'w',
      'x',
    ]);
  });

  it('forgives a crash without a reason three times', () => {
    expect(judge({ ...alone, crashes: 2 }, crash, node)).toEqual({
      kind: 'rerun',
      works: [{ ...alone, crashes: 3 }],
    });
    expect(judge({ ...alone, crashes: 3 }, crash, node)).toMatchObject({
      kind: 'rerun',
      works: [{ forced: [{ nodeId: 'x', message: 'the row worker crashed' }] }],
    });
  });

  it('blames the first node when the row was lost before any began', () => {
    expect(judge({ ...alone, crashes: 3 }, crash)).toEqual({
      kind: 'failed',
      failure: { row: 7, nodeId: 'input', message: 'the row worker crashed', attempts: 1 },
    });
  });
});
