import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { moveBodyIn, moveBodyOut } from '../../../../../src-main/domain/authoring/edit/move-body.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { parseWorkflow } from '../../../../../src-main/domain/workflow/parse-workflow.ts';

const caller = `rowbench: 1
id: leads
vars: { verify: 'https://verify.example', other: 1 }
nodes:
  - { id: input, type: input }
  - id: people
    type: workflow
    each: =row.people
    row: { mail: =item.email }
    nodes: # the steps
      # About all of the steps.

      # About the check.
      - id: check # inner
        type: http
        request: { url: '{{ vars.verify }}/{{ row.mail }}' }
      # About the code.
      - id: code
        type: code
        code: |
          // vars only
            return 1;
      - { id: person, type: output, fields: { mail: =row.mail, valid: =nodes.check.body, two: '=nodes.code' } }
        # Below the output.
  - { id: result, type: output, fields: { people: =nodes.people } }
`;

function movedOut(text: string, ids = { id: 'people', newId: 'check-person' }) {
  const moved = moveBodyOut(text, ids);
  if (moved.refusal !== undefined) throw new Error(moved.refusal.reason);
  return { caller: applyChanges(text, moved.changes), called: moved.text };
}

function movedIn(text: string, called: string, id = 'people') {
  const moved = moveBodyIn(text, id, { id: 'check-person', text: called });
  if (moved.refusal !== undefined) throw new Error(moved.refusal.reason);
  return { text: applyChanges(text, moved.changes), unchecked: moved.unchecked };
}

const nodesOf = (text: string) => {
  const { workflow, issues } = parseWorkflow(text);
  if (workflow === undefined) throw new Error(JSON.stringify(issues));
  return workflow;
};

describe('a body that moves to a workflow of its own', () => {
  it('has its comments, the fields of its row and the variables that it reads in the new file', () => {
    const { caller: text, called } = movedOut(caller);
    expect(called).toBe(`rowbench: 1
id: check-person

vars:
  verify: https://verify.example

nodes:
  # About all of the steps.

  - id: input
    type: input
    fields:
      mail: {}
  # About the check.
  - id: check # inner
    type: http
    request: { url: '{{ vars.verify }}/{{ row.mail }}' }
  # About the code.
  - id: code
    type: code
    code: |
      // vars only
        return 1;
  - { id: person, type: output, fields: { mail: =row.mail, valid: =nodes.check.body, two: '=nodes.code' } }
    # Below the output.
`);
    expect(text).toContain('    row: { mail: =item.email }\n    workflow: check-person # the steps\n');
    expect(nodesOf(text).nodes).toHaveLength(3);
    expect(nodesOf(called).nodes.map(({ id }) => id)).toEqual(['input', 'check', 'code', 'person']);
  });

  it('comes back as it was, with the called file left alone', () => {
    const out = movedOut(caller);
    const back = movedIn(out.caller, out.called);
    const bodyOf = (text: string) => nodesOf(text).nodes[1]?.body?.map((node) => ({ ...node, line: 0 }));
    expect(bodyOf(back.text)).toEqual(bodyOf(caller));
    expect(back.unchecked).toEqual([]);
    for (const comment of [
      '# the steps',
      '# About the check.',
      '# inner',
      '# About the code.',
      '# Below the',
    ])
      expect(back.text).toContain(comment);
  });

  it('moves the body of an example out and back', () => {
    const text = readFileSync('examples/contact-checks.workflow.yaml', 'utf8');
    const out = movedOut(text, { id: 'contacts', newId: '2024' });
    expect(parseWorkflow(out.called)).toMatchObject({ id: '2024', issues: [] });
    expect(movedIn(out.caller, out.called, 'contacts').text).toBe(text);
  });

  it('is moved in brackets and in JSON, too', () => {
    const flow = `{ rowbench: 1, id: a, nodes: [{ id: input, type: input }, { id: p, type: workflow, row: =row, nodes: [
      { id: input, type: output, fields: { x: 1 } } # the end
    ] }, { id: result, type: output, fields: { p: =nodes.p } }] }\n`;
    const json = JSON.stringify(nodesIn(flow), null, '\t');
    for (const text of [flow, json, flow.replaceAll('\n', '\r\n')]) {
      const out = movedOut(text, { id: 'p', newId: 'b' });
      expect(nodesOf(out.called).nodes.map(({ id }) => id)).toEqual(['input2', 'input']);
      expect(nodesOf(movedIn(out.caller, out.called, 'p').text).nodes[1]?.body).toHaveLength(1);
      expect(out.called.includes('# the end')).toBe(text !== json);
    }
  });

  it('is refused for an id that cannot be that of another workflow, and for a node without a body', () => {
    const refusal = (id: string, newId: string) => moveBodyOut(caller, { id, newId }).refusal?.reason;
    expect(refusal('people', 'a b')).toBe('A workflow id is 1 to 64 letters, digits, "_" and "-"');
    expect(refusal('people', 'leads')).toBe('This workflow has that id itself');
    expect(refusal('input', 'new')).toBe('The node "input" has no body');
  });
});

describe('a called workflow that becomes a body', () => {
  const calling = movedOut(caller).caller;
  const called = movedOut(caller).called;
  const refusal = (text: string, from = calling, id = 'people') =>
    moveBodyIn(from, id, { id: 'check-person', text }).refusal?.reason;

  it('brings its variables, and names what its input checked', () => {
    const checking = called.replace('mail: {}', 'mail: { type: string, required: true }');
    const moved = movedIn(calling.replace(/^vars:.*\n/m, ''), checking);
    expect(moved.unchecked).toEqual(['mail: string, required']);
    expect(nodesOf(moved.text).vars.map(({ name, value }) => [name, value])).toEqual([
      ['verify', 'https://verify.example'],
    ]);
  });

  it('is refused where the nodes would mean something else', () => {
    expect(refusal(called.replace('verify.example', 'elsewhere.example'))).toBe(
      'The variable verify has another value in check-person: rename one of them first',
    );
    expect(refusal(called.replace('=row.mail', '=nodes.input.mail'))).toBe(
      'person in check-person names the node input, which no body has: write "row" there (line 24)',
    );
    expect(refusal(caller.replace('leads', 'check-person'))).toBe(
      'people in check-person has a body, and a body has no bodies of its own',
    );
    expect(refusal('nodes: [')).toBe('Fix the errors of check-person first');
    expect(refusal(called, caller.replace('type: code', 'type: workflow'), 'people/code')).toBe(
      'A body has no bodies of its own',
    );
  });
});

const nodesIn = (text: string): unknown => {
  const { workflow } = parseWorkflow(text);
  if (workflow === undefined) throw new Error(text);
  return {
    rowbench: 1,
    id: 'a',
    nodes: [
      { id: 'input', type: 'input' },
      { id: 'p', type: 'workflow', row: '=row', nodes: [{ id: 'input', type: 'output', fields: { x: 1 } }] },
      { id: 'result', type: 'output', fields: { p: '=nodes.p' } },
    ],
  };
};
