import { expect, it } from 'vitest';
import { failureOfLine } from '../../../../src-main/domain/results/scan-trace-line.ts';
import { parseTraceLine, traceOfFailure } from '../../../../src-main/domain/results/row-trace.ts';
import { failureLine } from '../../../../src-main/executor/worker/trace-line.ts';

const failure = { row: 12, nodeId: 'b', message: 'no "luck"', attempts: 3 };

it('a failure that is kept alone, beyond the bound of traces, tells how far its row came', () => {
  const line = failureLine(failure);
  expect(parseTraceLine(line)).toBeUndefined();
  expect(failureOfLine(line)).toEqual(failure);
  expect(traceOfFailure(failure, ['a', 'b', 'c'])).toMatchObject({
    row: 12,
    failure,
    nodes: [
      { end: 'not kept', attempts: 0 },
      { end: 'failed', attempts: 3 },
      { end: 'not reached', attempts: 0 },
    ],
  });
});

it('a failure of a node that the plan does not have tells of no node', () => {
  const { nodes } = traceOfFailure({ ...failure, nodeId: 'gone' }, ['a', 'b']);
  expect(nodes.map(({ end }) => end)).toEqual(['not kept', 'not kept']);
});
