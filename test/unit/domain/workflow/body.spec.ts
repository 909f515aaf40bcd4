import { describe, expect, it } from 'vitest';
import { applyProfile } from '../../../../src-main/domain/profiles/apply-profile.ts';
import { needsOf } from '../../../../src-main/domain/sources/needs.ts';
import { findReach, reachKeys } from '../../../../src-main/domain/trust/reach.ts';
import { filesOfWorkflow } from '../../../../src-main/domain/workflow/named-files.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { planRun } from '../../../../src-main/executor/plan-run.ts';

const check = `{ id: check, type: http, request: { url: 'https://verify.example/{{ row.mail }}' }, auth: { secret: KEY } }`;
const person = `{ id: person, type: output, fields: { mail: =row.mail, valid: =nodes.check.body.valid } }`;

const file = (body: readonly string[], own = ''): string => `rowbench: 1
id: leads
vars: { base: x }
nodes:
  - { id: input, type: input }
  - { id: firm, type: set, values: { people: =row.people } }
  - id: people
    type: workflow
    each: nodes.firm.people
    row: { mail: =item.email }${own}
    nodes:${body.map((node) => `\n      - ${node}`).join('')}
  - { id: result, type: output, fields: { people: =nodes.people } }
`;

const issuesOf = (text: string): readonly string[] =>
  parseWorkflow(text).issues.map(
    ({ severity, line, nodeId = '', message }) => `${line} ${severity} ${nodeId}: ${message}`,
  );

function workflowOf(text: string) {
  const { workflow, issues } = parseWorkflow(text);
  if (workflow === undefined) throw new Error(issues[0]?.message);
  return workflow;
}

describe('the body of a workflow node', () => {
  it('is a part of the plan of its own, with the variables of its file and the tables that it reads', () => {
    const plan = planRun(workflowOf(file([check, person])));
    expect(plan.workflows).toMatchObject([
      { workflowId: 'leads/people', vars: [['base', 'x']], nodes: [{ id: 'check' }, { id: 'person' }] },
    ]);
    const node = plan.nodes.find(({ id }) => id === 'people');
    expect(node).toMatchObject({ config: { workflow: 'leads/people' } });
    expect(node).not.toHaveProperty('body');
    expect(plan).toMatchObject({ mayWait: true, reachesOut: true });
  });

  it('may have ids of nodes around it', () => {
    const nodes = [
      '{ id: firm, type: set, values: { a: =row.mail } }',
      '{ id: result, type: output, fields: { a: =nodes.firm.a } }',
    ];
    expect(issuesOf(file(nodes))).toEqual([]);
  });

  it.each([
    [
      'a node outside of it',
      ['{ id: out, type: output, fields: { a: =nodes.firm } }'],
      '12 error people/out: The node "firm" is outside of this body: put its value into "row", and read row.<name> here',
    ],
    [
      'the item around it',
      ['{ id: out, type: output, fields: { a: =item } }'],
      '12 error people/out: "item" is outside of this body: put its value into "row", and read row.<name> here',
    ],
    [
      'an input node',
      ['{ id: in, type: input }', person.replace('nodes.check', 'row')],
      '12 error people/in: A body has no input node: its row is what "row" gives',
    ],
    ['no output node', [check], '11 error people: The body has no node of type output'],
    [
      'a body in it',
      [
        '{ id: w, type: workflow, row: {}, nodes: [{ id: o, type: output, fields: { a: 1 } }] }',
        '{ id: o, type: output, fields: { a: =nodes.w } }',
      ],
      '12 error people/w: A body has no bodies of its own: call a workflow of its own here',
    ],
    [
      'an id twice',
      [check, '{ id: check, type: output, fields: { a: 1 } }'],
      '13 error people/check: The id "check" is already taken by the node in line 12',
    ],
    ['a node without an id', ['{ type: output, fields: { a: 1 } }'], '12 error people: Missing key "id"'],
    [
      'nodes that wait for each other',
      [
        '{ id: a, type: set, after: b, values: { x: 1 } }',
        '{ id: b, type: output, fields: { a: =nodes.a } }',
      ],
      '12 error people/a: These nodes wait for each other: a -> b -> a',
    ],
    [
      'a value that nothing reads',
      ['{ id: a, type: set, values: { x: 1 } }', '{ id: b, type: output, fields: { a: 1 } }'],
      '12 warning people/a: Nothing reads the node "a"',
    ],
  ])('is checked: %s', (_, nodes, issue) => {
    expect(issuesOf(file(nodes))).toEqual([issue]);
  });

  it('stands in place of a called workflow', () => {
    expect(issuesOf(file([check, person], '\n    workflow: other'))).toEqual([
      '11 error people: A node with "nodes" calls no other workflow: leave "workflow" out',
    ]);
    expect(issuesOf(file([check, person]).replace(/ {4}nodes:(\n {6}.*)+\n/, ''))).toEqual([
      '7 error people: Missing key "workflow"',
    ]);
    expect(issuesOf(file([]))).toHaveLength(1);
  });

  it('may give what no client of the API gets', () => {
    expect(issuesOf(file(['{ id: out, type: output, fields: { a: { b: =row.mail } } }']))).toEqual([]);
  });

  it('counts for trust, files, needs and profiles', () => {
    const lookup = '{ id: zone, type: lookup, table: zones.csv, key: mail, match: =row.mail }';
    const other = '{ id: other, type: workflow, workflow: other, row: =nodes.zone, after: check }';
    const text = file([check, lookup, other, '{ id: out, type: output, fields: { a: =nodes.other } }']);
    const workflow = workflowOf(text);
    const reach = findReach(workflow);
    expect(reachKeys(reach)).toEqual([
      'https://verify.example',
      'the secret KEY to https://verify.example',
      'the workflow other',
    ]);
    expect(reach.calls).toMatchObject([{ nodeId: 'people/check', line: 12 }]);
    expect(filesOfWorkflow(workflow)).toMatchObject([
      { path: 'zones.csv', at: ['nodes', 2, 'nodes', 1, 'table'] },
    ]);
    expect(needsOf(workflow)).toMatchObject({
      tables: [{ nodeId: 'people/zone' }],
      workflows: [{ nodeId: 'people/other', bodyId: 'leads/people' }],
    });
    expect(applyProfile(text, { name: 'p', vars: {}, secrets: { KEY: 'TEST_KEY' } })).toMatchObject({
      changes: [{ from: text.indexOf('secret: KEY') + 'secret: '.length }],
    });
  });

  it('needs nothing where its node answers from a mock, and its own mocks serve the mode alone', () => {
    const mocked = check.replace(' }, auth', ' }, mock: { fine: { body: { valid: true } } }, auth');
    const workflow = workflowOf(file([mocked, person], '\n    mock: { none: [] }'));
    expect(planRun(workflow, { mocks: { people: 'none' } })).toMatchObject({
      workflows: [],
      reachesOut: false,
    });
    expect(planRun(workflow, { mode: 'mocks' })).toMatchObject({
      workflows: [{ mocks: [['check', [{ value: { body: { valid: true } } }]]] }],
      reachesOut: false,
    });
    expect(() => planRun(workflow, { mocks: { 'people/check': 'fine' } })).toThrow(
      'There is no node "people/check"',
    );
  });
});
