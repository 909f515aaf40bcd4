import { describe, expect, it } from 'vitest';
import { chooseMocks, mocksOf } from '../../../../src-main/domain/workflow/choose-mocks.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { planRun } from '../../../../src-main/executor/plan-run.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const mockNode = (mock: string) =>
  workflowText(`
  - id: company
    type: delay
    for: 1h
    mock: ${mock}`);

function parsed(mock: string) {
  const { workflow, issues } = parseWorkflow(mockNode(mock));
  if (workflow === undefined) throw new Error(JSON.stringify(issues));
  return workflow;
}

const answersOf = (mock: string): unknown => {
  const { mocks } = chooseMocks(parsed(mock), { company: 'a' });
  return mocks[0]?.[1];
};

describe('a mock', () => {
  it.each([
    ['text', '{ a: small }', [{ value: 'small' }]],
    ['null', '{ a: null }', [{ value: null }]],
    ['an object', '{ a: { error: x, code: 1 } }', [{ value: { error: 'x', code: 1 } }]],
    ['an error alone', '{ a: { error: gone } }', [{ error: 'gone' }]],
    [
      'attempts',
      '{ a: { attempts: [{ error: busy }, { value: { error: kept } }] } }',
      [{ error: 'busy' }, { value: { error: 'kept' } }],
    ],
    ['a number of attempts, which is a value', '{ a: { attempts: 3 } }', [{ value: { attempts: 3 } }]],
  ])('reads %s', (_, written, answers) => {
    expect(answersOf(written)).toEqual(answers);
  });

  it.each([
    ['[1]', 'Expected names with canned answers'],
    ['{ a: { error: 5 } }', 'Expected text that says why the node fails'],
    ['{ a: { attempts: [] } }', 'Expected an answer for at least one attempt'],
    ['{ a: { attempts: [3] } }', 'Expected { value: ... } or { error: text }'],
  ])('refuses %s at its place', (mock, message) => {
    const [issue] = parseWorkflow(mockNode(mock)).issues;
    expect(issue).toMatchObject({ severity: 'error', message, line: 9, nodeId: 'company' });
  });
});

describe('the mocks of a run', () => {
  it.each([
    ['compny', 'a', 'There is no node "compny" (did you mean "company"?)'],
    ['result', 'a', 'The node "result" has no mocks'],
    ['company', 'smal', 'The node "company" has no mock "smal" (did you mean "small"?); it has small, large'],
  ])('must exist: %s, %s', (nodeId, name, message) => {
    const workflow = parsed('{ small: 1, large: 2 }');
    expect(chooseMocks(workflow, { [nodeId]: name }).problems).toMatchObject([{ nodeId, message }]);
    expect(() => planRun(workflow, { mocks: { [nodeId]: name } })).toThrow(message);
  });

  it('are all that the plan carries of the mocks in the file', () => {
    const workflow = parsed('{ small: 11111, large: 22222 }');
    const plan = planRun(workflow, { mocks: { company: 'large' } });
    expect(JSON.stringify(plan)).not.toContain('11111');
    expect(plan).toMatchObject({ mocks: [['company', [{ value: 22222 }]]], mayWait: false });
    expect(planRun(workflow)).toMatchObject({ mocks: [], mayWait: true });
  });
});

describe('a run that is answered by mocks alone', () => {
  const http = (id: string, mock: string) => `
  - id: ${id}
    type: http
    request: { url: https://api.example.com }
    ${mock}`;
  const { workflow } = parseWorkflow(
    workflowText(
      `${http('company', 'mock: { small: 1, large: 2 }')}${http('person', 'mock: { ada: 1 }')}${http('bare', '')}
  - { id: pause, type: delay, for: 1h, mock: { done: null } }`,
    ),
  );

  it('takes the first mock of each node that reaches out, unless another was chosen', () => {
    if (workflow === undefined) throw new Error('a workflow is wanted');
    expect(mocksOf(workflow, { mode: 'mocks', mocks: { company: 'large' } })).toEqual({
      company: 'large',
      person: 'ada',
    });
    expect(mocksOf(workflow, { mode: 'mocks', mocks: { pause: 'done' } })).toMatchObject({ pause: 'done' });
    expect(mocksOf(workflow, { mode: 'live', mocks: { company: 'large' } })).toEqual({ company: 'large' });
    expect(mocksOf(workflow, {})).toEqual({});
  });
});
