import { describe, expect, it } from 'vitest';
import { nodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import {
  editWorkflow,
  type WorkflowEdit,
} from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { renameNodeInFiles } from '../../../../../src-main/domain/authoring/edit/rename-node.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { completionsAt } from '../../../../../src-main/domain/authoring/language/completion.ts';
import { emptyContext } from '../../../../../src-main/domain/authoring/language/language-context.ts';
import { quickFixes } from '../../../../../src-main/domain/authoring/language/quick-fixes.ts';
import { lookAt } from '../../../../../src-main/domain/authoring/language/symbol.ts';
import { outlineOf } from '../../../../../src-main/domain/workflow/outline.ts';

const file = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }
  - { id: check, type: set, values: { people: =row.people } } # outer check
  # The loop.
  - id: people
    type: workflow
    each: nodes.check.people
    row: { mail: =item.email, note: first }
    nodes:
      # Inner check.
      - id: check # inner
        type: http
        request: { url: 'https://verify.example/{{ row.mail }}' }
      - { id: person, type: output, fields: { mail: =row.mail, valid: =nodes.check.body.valid } }
  - { id: result, type: output, fields: { people: =nodes.people } }
`;

function edited(...edits: readonly WorkflowEdit[]): string {
  const { changes, refusal } = editWorkflow(file, edits);
  if (changes === undefined) throw new Error(refusal.reason);
  return applyChanges(file, changes);
}

const refusalOf = (edit: WorkflowEdit): string | undefined => editWorkflow(file, edit).refusal?.reason;

describe('an edit of the nodes in a body', () => {
  it('renames a node among those of its body alone, and leaves all comments', () => {
    expect(edited({ kind: 'renameNode', id: 'people/check', newId: 'verify' })).toBe(
      file
        .replace('- id: check # inner', '- id: verify # inner')
        .replace('nodes.check.body', 'nodes.verify.body'),
    );
    expect(edited({ kind: 'renameNode', id: 'check', newId: 'list' })).toBe(
      file.replace('{ id: check,', '{ id: list,').replace('each: nodes.check', 'each: nodes.list'),
    );
    expect(refusalOf({ kind: 'renameNode', id: 'people/check', newId: 'person' })).toBe(
      'There is a node "person" already',
    );
  });

  it('adds, copies, moves and deletes nodes of the body', () => {
    const node = { id: 'input2', type: 'set', values: {} };
    const added = edited({ kind: 'addNode', node, within: 'people', index: 0 });
    expect(outlineOf(added).nodes[2]?.body?.nodes.map(({ id }) => id)).toEqual([
      'people/input2',
      'people/check',
      'people/person',
    ]);
    const copied = edited(
      { kind: 'duplicateNode', id: 'people/check', newId: 'people' },
      { kind: 'moveNode', id: 'people/person', to: 0 },
      { kind: 'deleteNodes', ids: ['people/people'] },
    );
    expect(outlineOf(copied).nodes[2]?.body?.nodes.map(({ id }) => id)).toEqual([
      'people/person',
      'people/check',
    ]);
    expect(copied).toContain('# Inner check.');
    expect(refusalOf({ kind: 'deleteNodes', ids: ['people/check'] })).toBe('Other nodes read it: person');
    expect(refusalOf({ kind: 'addNode', node, within: 'check' })).toBe('The node "check" has no body');
  });

  it('connects nodes of one body, and none with nodes outside of it', () => {
    expect(edited({ kind: 'connect', from: 'people/check', to: 'people/person' })).toBe(file);
    expect(refusalOf({ kind: 'connect', from: 'people/person', to: 'people/check' })).toBe(
      'These nodes would wait for each other: check -> person -> check',
    );
    expect(refusalOf({ kind: 'connect', from: 'check', to: 'people/check' })).toBe(
      'people/check cannot read check: a body reads only its own nodes and its row',
    );
  });

  it('puts an expression into a new node of the same body', () => {
    const path = ['nodes', 2, 'nodes', 1, 'fields', 'valid'];
    const text = edited({ kind: 'extract', path, newId: 'answer' });
    expect(outlineOf(text).nodes[2]?.body?.nodes.map(({ id }) => id)).toContain('people/answer');
    expect(outlineOf(text).nodes).toHaveLength(4);
  });

  it('renames a node of a body in tests and recordings, too', () => {
    const cassette = JSON.stringify({
      entries: [{ place: 'people/0/check' }, { place: 'people/3/check/~2' }, { place: 'check' }],
    });
    const tests = `tests:\n  - expect: { error: 'Node "people" failed on row 1: item 1 of 2: people, node "check": no' }\n`;
    const rename = (id: string, newId: string): readonly string[] => {
      const renamed = renameNodeInFiles(
        { workflow: file, tests: [tests], cassettes: [cassette] },
        { id, newId },
      );
      if (renamed.refusal !== undefined) throw new Error(renamed.refusal.reason);
      return [
        applyChanges(tests, renamed.tests[0] ?? []),
        applyChanges(cassette, renamed.cassettes[0] ?? []),
      ];
    };
    expect(rename('people/check', 'verify')).toEqual([
      tests.replace('node "check"', 'node "verify"'),
      cassette.replaceAll(/(\d)\/check/g, '$1/verify'),
    ]);
    expect(rename('people', 'staff')).toEqual([
      tests.replaceAll('people', 'staff'),
      cassette.replaceAll('people', 'staff'),
    ]);
  });
});

describe('the editor in a body', () => {
  const optionsAt = (text: string): readonly string[] => {
    const offset = text.indexOf('|');
    const found = completionsAt({ text: text.replace('|', '') }, offset, emptyContext);
    return (found?.options ?? []).map(({ label }) => label);
  };

  it('offers the nodes of the body, the row that it gets, and the keys of its nodes', () => {
    expect(optionsAt(file.replace('nodes.check.body.valid', 'nodes.|'))).toEqual(['check']);
    expect(optionsAt(file.replace('{{ row.mail }}', '{{ row.| }}'))).toEqual(['mail', 'note']);
    expect(optionsAt(file.replace('nodes.people }', 'nodes.| }'))).toEqual(['input', 'check', 'people']);
    expect(optionsAt(file.replace('        type: http\n', '        type: http\n        re|\n'))).toContain(
      'retry',
    );
  });

  it('offers no type that a body refuses', () => {
    const inBody = optionsAt(file.replace('        type: http', '        type: |'));
    expect(inBody).toContain('http');
    expect(inBody).not.toContain('input');
    expect(optionsAt(file.replace('type: set', 'type: |'))).toContain('input');
  });

  it('finds what a name means in its own scope', () => {
    const inBody = lookAt({ text: file }, file.indexOf('check.body') + 1, emptyContext);
    expect(inBody.symbol).toMatchObject({ kind: 'node', name: 'people/check', definition: { line: 13 } });
    expect(inBody.symbol?.mentions).toHaveLength(2);
    expect(lookAt({ text: file }, file.indexOf('check.people') + 1, emptyContext).symbol).toMatchObject({
      name: 'check',
      definition: { line: 5 },
    });
  });

  it('has a form and an outline for each node', () => {
    expect(nodeForm(file, 'people/check')).toMatchObject({ kind: 'form', path: ['nodes', 2, 'nodes', 0] });
    const [, , people] = outlineOf(file).nodes;
    expect(people?.body?.edges).toEqual([{ from: 'people/check', to: 'people/person', kind: 'reads' }]);
    expect(people?.expressions?.map(([path]) => path[0])).toEqual(['each', 'row']);
  });

  it('fixes a body without an output', () => {
    const text = file.replace(/ {6}- \{ id: person.*\n/, '');
    const fix = quickFixes(text, emptyContext).flatMap(({ fixes }) => fixes)[0];
    expect(fix?.title).toBe('Add an output node');
    expect(outlineOf(applyChanges(text, fix?.changes ?? [])).nodes[2]?.body?.nodes).toMatchObject([
      { id: 'people/check' },
      { id: 'people/result' },
    ]);
  });
});
