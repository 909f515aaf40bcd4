// What the fields of a form offer and show: names to choose from, pasted columns, members of values, the case of a row.
import { describe, expect, it } from 'vitest';
import { applyChanges, type FormNames, type NodeForm, type WorkflowEdit } from '#contract';
import { nodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { fieldChoices } from '../../../../../src-renderer/state/workflow/form/field-choices.ts';
import { addItem, fieldEdits } from '../../../../../src-renderer/state/workflow/form/form-edits.ts';
import { pasteEdits, pastedValues } from '../../../../../src-renderer/state/workflow/form/pasted-values.ts';
import { takenCase } from '../../../../../src-renderer/state/workflow/form/node-form.svelte.ts';

const textWith = (node: string): string => `rowbench: 1\nid: leads\nnodes:\n${node}\n`;

function formOf(text: string): NodeForm {
  const form = nodeForm(text, 'a');
  if (form.kind !== 'form') throw new Error(`There is no form: ${form.kind}`);
  return form;
}

function edited(text: string, plan: (form: NodeForm) => readonly WorkflowEdit[]): string {
  const { changes, refusal } = editWorkflow(text, plan(formOf(text)));
  expect(refusal).toBeUndefined();
  return applyChanges(text, changes ?? []);
}

describe('two pasted columns', () => {
  it('are names with values, numbers only where they are written as one', () => {
    expect(pastedValues('a\t1\r\nb \tTRUE\r\n"c d"\t"x\ny"\na\t1.50\n')).toEqual([
      ['a', '1.50'],
      ['b', true],
      ['c d', 'x\ny'],
    ]);
    expect(pastedValues('a\t007\nb\t12345678901234567890')).toEqual([
      ['a', '007'],
      ['b', '12345678901234567890'],
    ]);
  });

  it.each(['name', 'a\nb', 'a\tb\tc', '\tb', 'a\t1\nb', ''])('are not in %j', (text) => {
    expect(pastedValues(text)).toBeUndefined();
  });

  it('are added behind the names that are there, in one list of edits', () => {
    const text = textWith('  - id: a\n    type: set\n    values:\n      x: 0 # first');
    const values = pastedValues('y\t=row.y\nx\t2') ?? [];
    expect(edited(text, (form) => pasteEdits(form, ['values'], values))).toBe(
      text.replace('x: 0 # first', 'x: 2 # first\n      y: =row.y'),
    );
    const bare = textWith('  - id: a\n    type: set');
    expect(edited(bare, (form) => pasteEdits(form, ['values'], values))).toBe(
      `${bare}    values:\n      y: =row.y\n      x: 2\n`,
    );
  });
});

describe('members of values', () => {
  const text = textWith(
    '  - id: a\n    type: set\n    values:\n      x: { list: [ 1, { deep:  "=row.a" } ] } # kept',
  );

  it('change, appear and go on their own, at any level', () => {
    const path = ['values', 'x', 'list', 1, 'deep'];
    expect(edited(text, (form) => fieldEdits(form, path, '=row.b'))).toBe(text.replace('=row.a', '=row.b'));
    expect(edited(text, (form) => addItem(form, ['values', 'x', 'list'], ''))).toBe(
      text.replace('"=row.a" } ]', '"=row.a" }, "" ]'),
    );
    expect(edited(text, (form) => fieldEdits(form, ['values', 'x', 'list', 0], undefined))).toBe(
      text.replace('[ 1, ', '[ '),
    );
  });
});

describe('choices of a field', () => {
  const names: FormNames = {
    workflowIds: ['other'],
    secrets: [{ name: 'CRM_TOKEN', hosts: ['api.example.com', 'b.example'] }],
    tables: [
      { path: 'codes.csv', columns: ['code', 'label'] },
      { path: 'more.csv', columns: ['id'] },
    ],
    profiles: [],
  };
  const labels = (...args: Parameters<typeof fieldChoices>): readonly string[] =>
    fieldChoices(...args).map(({ label }) => label);

  it('are the workflows, the secrets with their hosts, the tables, and the columns of the table', () => {
    expect(labels('workflow', names, {})).toEqual(['other']);
    expect(labels('secret', names, {})).toEqual(['CRM_TOKEN (api.example.com, b.example)']);
    expect(labels('table', names, {})).toEqual(['codes.csv', 'more.csv']);
    expect(labels('column', names, { table: 'codes.csv' })).toEqual(['code', 'label']);
    expect(labels('column', names, { table: 'none.csv' })).toEqual([]);
    expect(labels('table', undefined, {})).toEqual([]);
    expect(labels('expression', names, {})).toEqual([]);
  });
});

describe('the case that a row takes', () => {
  const node = {
    type: 'switch',
    cases: [
      { when: 'row.a', value: 1 },
      { when: 'row.b', value: 2 },
    ],
  };
  const when = (index: number, kind: 'text' | 'number' | 'boolean' | 'null' | 'list', text: string) => ({
    path: ['cases', index, 'when'],
    value: { kind, text },
  });

  it('is the first whose condition holds, or the default', () => {
    expect(takenCase(node, [when(0, 'boolean', 'false'), when(1, 'list', '[]')])).toEqual(['cases', 1]);
    expect(takenCase(node, [when(0, 'number', '3'), when(1, 'boolean', 'true')])).toEqual(['cases', 0]);
    expect(takenCase(node, [when(0, 'number', '0'), when(1, 'text', '')])).toEqual(['default']);
    expect(takenCase(node, [{ path: ['cases', 0, 'when'] }, when(1, 'null', 'null')])).toEqual(['default']);
  });

  it('is unknown where a condition before it has no value', () => {
    expect(takenCase(node, [when(1, 'boolean', 'true')])).toBeUndefined();
    expect(takenCase(node, [{ path: ['cases', 0, 'when'], error: 'No' }])).toBeUndefined();
    expect(takenCase({ type: 'set' }, [])).toBeUndefined();
  });
});
