import { expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const issuesOf = (node: string) =>
  parseWorkflow(workflowText(`  - { id: work, ${node} }`, '{ done: =nodes.work }')).issues.map(
    ({ message }) => message,
  );

it('the value of onError may read the error, and with each also the item', () => {
  expect(issuesOf('type: set, values: { a: 1 }, onError: { value: "{{ error.message }}" }')).toEqual([]);
  expect(
    issuesOf('type: set, each: row.list, values: { a: 1 }, onError: { value: "=[error, item, index]" }'),
  ).toEqual([]);
});

it.each([
  ['type: set, values: { a: =error.message }'],
  ['type: set, when: error.status === 404, values: { a: 1 }'],
  ['type: code, code: return error.message'],
])('the error is unknown in %s', (node) => {
  expect(issuesOf(node)).toEqual(['"error" exists only in the value of "onError"']);
});

it('the value of onError knows no item without each', () => {
  expect(issuesOf('type: set, values: { a: 1 }, onError: { value: "=item" }')).toEqual([
    '"item" exists only in a node with "each"',
  ]);
});

it('code may name its own errors', () => {
  expect(
    issuesOf('type: code, code: "try { return row.a.b } catch (error) { return error.message }"'),
  ).toEqual([]);
});
