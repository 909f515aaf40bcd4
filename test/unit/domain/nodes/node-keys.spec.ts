import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const call = 'type: http, request: { url: "https://api.example.com" }';
const issuesOf = (node: string) =>
  parseWorkflow(workflowText(`  - { id: work, ${node} }`, '{ done: =nodes.work }')).issues.map(
    ({ message }) => message,
  );

describe('retry.on', () => {
  it('takes statuses, their classes, network and answer', () => {
    expect(issuesOf(`${call}, retry: { attempts: 2, on: [429, 4xx, 5xx, network, answer] }`)).toEqual([]);
  });

  it.each([
    ['[5x]', 'Expected a status such as 429, or one of 4xx, 5xx, network, answer (did you mean "5xx"?)'],
    ['[netwrok]', expect.stringContaining('(did you mean "network"?)') as string],
    ['[200]', 'Expected at least 400'],
    ['[]', 'Expected at least 1 entry'],
    ['429', 'Expected a list'],
  ])('refuses %s', (on, message) => {
    expect(issuesOf(`${call}, retry: { attempts: 2, on: ${on} }`)).toEqual([message]);
  });

  it('is an error of a node that makes no call', () => {
    expect(issuesOf('type: code, code: return 1, retry: { attempts: 2, on: [5xx] }')).toEqual([
      '"on" names failures of calls, and a node of type code makes none: leave it out',
    ]);
    expect(issuesOf('type: workflow, workflow: other, row: =row, retry: { attempts: 2, on: [5xx] }')).toEqual(
      [],
    );
  });
});

describe('expect', () => {
  it('takes statuses and their classes', () => {
    expect(issuesOf(`${call}, expect: [404, 4xx, 5xx]`)).toEqual([]);
  });

  it.each([
    ['[4x]', 'Expected a status such as 429, or one of 4xx, 5xx (did you mean "4xx"?)'],
    ['["404"]', 'Expected a status such as 429, or one of 4xx, 5xx'],
    ['[99]', 'Expected at least 100'],
  ])('refuses %s', (list, message) => {
    expect(issuesOf(`${call}, expect: ${list}`)).toEqual([message]);
  });
});

describe('concurrency', () => {
  it('belongs to each, and to nodes that wait', () => {
    expect(issuesOf(`${call}, each: row.list, concurrency: 20`)).toEqual([]);
    expect(issuesOf(`${call}, concurrency: 20`)).toEqual([
      '"concurrency" needs "each": without it the node has one item',
    ]);
    expect(issuesOf('type: set, each: row.list, concurrency: 2, values: { a: 1 }')).toEqual([
      '"concurrency" has no effect: items of a node of type set never wait',
    ]);
    expect(issuesOf(`${call}, each: row.list, concurrency: 101`)).toEqual(['Expected at most 100']);
  });
});
