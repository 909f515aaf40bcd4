import { describe, expect, it } from 'vitest';
import { faultOf, filterCauses } from '../../../../src-renderer/state/run/causes.ts';
import { runView } from '../../../builders/run-view.ts';

const cause = (message: string, rows = 3) => ({
  nodeId: 'a',
  cause: message,
  message,
  rows,
  firstRows: [1],
});

const someFailed = runView({ rows: 10, rowsDone: 7, rowsFailed: 3 });
const allFailed = runView({ rows: 3, rowsDone: 0, rowsFailed: 3 });
const reading = "TypeError: Cannot read properties of undefined (reading 'size')";

describe('a cause is fixed', () => {
  it.each([
    ['in the rows, if a field is missing', 'field "email" is missing (required)', 'rows'],
    ['in the rows, if a field has the wrong type', 'age: "HTTP 500" is not a number', 'rows'],
    ['in the rows, if a service rejects what the row sent', 'HTTP 422 from POST http://a.example', 'rows'],
    ['in the workflow, if a name is unknown', 'ReferenceError: add is not defined', 'workflow'],
    ['in the workflow, if a call is refused', 'GET http://a.example is refused: no', 'workflow'],
    ['by another attempt, if a service failed', 'HTTP 503 from GET http://a.example', 'service'],
    ['by another attempt, after a time limit', 'took longer than 10 s', 'service'],
  ] as const)('%s', (_, message, fault) => {
    expect(faultOf(cause(message), someFailed)).toBe(fault);
    expect(faultOf(cause(message), allFailed)).toBe(fault);
  });

  it('in the workflow, if its code throws for every row', () => {
    expect(faultOf(cause(reading), allFailed)).toBe('workflow');
    expect(faultOf(cause('Ada is too young'), allFailed)).toBe('rows');
  });

  it('in the rows, if its code throws for some rows, or for a single one', () => {
    expect(faultOf(cause(reading), someFailed)).toBe('rows');
    expect(faultOf(cause(reading, 1), runView({ rows: 1, rowsDone: 0, rowsFailed: 1 }))).toBe('rows');
  });
});

const group = (nodeId: string, message: string) =>
  ({ nodeId, cause: message.replace(/\d+/, '…'), rows: 1, firstRows: [1], message }) as const;

it('causes are found by every word of their message and node', () => {
  const groups = [
    group('company', 'HTTP 500 from GET'),
    group('score', 'No such field'),
    group('score', 'HTTP 404'),
  ];
  expect(filterCauses(groups, ' http  SCORE ')).toEqual([groups[2]]);
  expect(filterCauses(groups, '500')).toEqual([groups[0]]);
  expect(filterCauses(groups, ' ')).toBe(groups);
  expect(filterCauses(groups, 'nothing')).toEqual([]);
});
