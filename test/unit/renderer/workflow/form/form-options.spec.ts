// Every key of every node type is in its form, or an option that is found by its name and its key and adds a valid value.
import { describe, expect, it } from 'vitest';
import { nodeForm, type NodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import type { NodeField } from '../../../../../src-main/domain/authoring/create/node-field.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { nodeTypeNames, nodeTypes, type NodeType } from '../../../../../src-main/domain/nodes/catalogue.ts';
import { nodeSchema } from '../../../../../src-main/domain/nodes/node-schema.ts';
import type { WorkflowEdit } from '#contract';
import { workflowProblems } from '../../../../../src-main/domain/workflow/parse-workflow.ts';
import {
  findOptions,
  nodeOptions,
  optionEdits,
  removalEdits,
  repeatField,
  replacementEdits,
  runFields,
  shownFields,
} from '../../../../../src-renderer/state/workflow/form/form-options.ts';

const idOf = (node: string): string => /id: (\w+)/.exec(node)?.[1] ?? '';

function textOf(node: string): string {
  const input = /type: input/.test(node) ? '' : '  - { id: first, type: input }\n';
  return `rowbench: 1\nid: leads\nnodes:\n${input}${node.replace(/^(?=.)/gm, '  ')}\n  - { id: end, type: output, fields: {} }\n`;
}

function formIn(text: string, id: string): NodeForm {
  const form = nodeForm(text, id);
  if (form.kind !== 'form') throw new Error(`There is no form: ${form.kind}`);
  return form;
}

const formOf = (node: string): NodeForm => formIn(textOf(node), idOf(node));

function errorsIn(text: string): readonly string[] {
  return workflowProblems(text)
    .filter(({ issue }) => issue.severity === 'error')
    .map(({ problem: { path }, issue: { message } }) => `${path.join('.')}: ${message}`);
}

const keysOf = (fields: readonly NodeField[]): readonly string[] => fields.map(({ label }) => label);

/** A node as the picker adds it. A node that names a workflow cannot have a body as well, and one without both can have either. */
function newNode(type: NodeType): string {
  const keys = Object.entries(nodeTypes[type].intents[0].newKeys).filter(([key]) => key !== 'workflow');
  const written = keys.map(([key, value]) => `, ${key}: ${JSON.stringify(value)}`).join('');
  return `- { id: firm, type: ${type}${written} }`;
}

describe('the options of a node', () => {
  it.each(nodeTypeNames)('have each key of the type %s that its form does not show', (type) => {
    const form = formOf(newNode(type));
    const options = nodeOptions(form);
    const shown = [...keysOf(shownFields(form)), ...keysOf(runFields(form))];
    const own = options.filter(({ field }) => field.path.length === 1).map(({ key }) => key);
    expect([...shown, ...own].toSorted()).toEqual(
      Object.keys(nodeSchema(type, { hasEach: true }).shape).toSorted(),
    );
    for (const option of options)
      for (const text of [option.title, option.key]) expect(findOptions(options, text)).toContain(option);
  });

  const bodyKeys = ['workflow', 'nodes'];
  it.each(nodeTypeNames.flatMap((type) => [newNode(type), nodeTypes[type].example]))(
    'add valid values to %s',
    (node) => {
      const added: string[] = [];
      const tried = new Set<string>();
      // The options of a group that an option added are tried in it.
      const tryOptions = (text: string): void => {
        const form = formIn(text, idOf(node));
        for (const field of [...nodeOptions(form).map((option) => option.field), ...runFields(form)]) {
          const key = field.path.join('.');
          if (tried.has(key) || (bodyKeys.includes(key) && node.includes('workflow:'))) continue;
          tried.add(key);
          const { changes } = editWorkflow(text, optionEdits(form, field));
          if (changes === undefined) throw new Error(`${key} is not added`);
          const edited = applyChanges(text, changes);
          const errors = errorsIn(edited).filter((each) => !errorsIn(text).includes(each));
          if (errors.length > 0) added.push(`${key}: ${errors.join(', ')}`);
          tryOptions(edited);
        }
      };
      tryOptions(textOf(node));
      expect(added).toEqual([]);
    },
  );

  it('begin with what is required, then with the keys of the file in its order', () => {
    const form = formOf(
      '- { id: firm, timeout: 5s, retry: { attempts: 2 }, type: http, auth: { secret: KEY }, request: { url: "https://a.example" } }',
    );
    expect(keysOf(shownFields(form))).toEqual(['id', 'type', 'request', 'timeout', 'retry', 'auth']);
    expect(nodeOptions(form).map(({ key }) => key)).toContain('request.body');
  });

  it.each([
    ['basic auth', 'auth'],
    ['time limit', 'timeout'],
    ['timeout', 'timeout'],
    ['try again', 'retry'],
    ['fallback', 'onError'],
    ['cookies', 'session'],
    ['send body as', 'request.bodyAs'],
  ])('are found by %s', (text, key) => {
    expect(findOptions(nodeOptions(formOf(newNode('http'))), text)[0]?.key).toBe(key);
  });

  it('add what they need: a method that has a body, and a list for items', () => {
    const form = formOf(newNode('http'));
    const edits = (key: string) =>
      nodeOptions(form).flatMap((option) => (option.key === key ? optionEdits(form, option.field) : []));
    expect(edits('request.bodyAs')).toMatchObject([
      { key: 'method', value: 'POST' },
      { key: 'body' },
      { key: 'bodyAs' },
    ]);
    expect(edits('concurrency')).toMatchObject([{ key: 'each', value: '=[]' }, { key: 'concurrency' }]);
  });

  it('are removed with the keys that need them, and replaced by another one', () => {
    const present = 'method: POST, body: a, bodyAs: text';
    const text = textOf(
      `- { id: firm, type: http, request: { url: "https://a.example", ${present} }, each: "=[]", concurrency: 4 }`,
    );
    const edited = (before: string, edits: readonly WorkflowEdit[]): string => {
      const { changes, refusal } = editWorkflow(before, edits);
      expect(refusal).toBeUndefined();
      const after = applyChanges(before, changes ?? []);
      expect(errorsIn(after)).toEqual([]);
      return after;
    };
    const form = formIn(text, 'firm');
    const request = form.fields.flatMap(({ control }) => (control.kind === 'group' ? control.fields : []));
    const body = request.find(({ label }) => label === 'body');
    const each = runFields(form).find(({ label }) => label === 'each');
    const repeat = repeatField(form);
    if (body === undefined || each === undefined || repeat === undefined)
      throw new Error('A field is missing');

    expect(edited(text, removalEdits(form, body))).not.toContain('body');
    expect(replacementEdits(form, [each, repeat], each)).toEqual([]);
    const again = edited(text, replacementEdits(form, [each, repeat], repeat));
    expect(Object.keys(formIn(again, 'firm').node)).toEqual(['id', 'type', 'request', 'repeat']);
    const once = edited(again, replacementEdits(formIn(again, 'firm'), [each, repeat], undefined));
    expect(Object.keys(formIn(once, 'firm').node)).toEqual(['id', 'type', 'request']);
  });

  it('are one of those that exclude each other', () => {
    const form = formOf(
      '- { id: firm, type: http, auth: { secret: KEY, header: x-key }, request: { url: "https://a.example" } }',
    );
    expect(nodeOptions(form).filter(({ key }) => key.startsWith('auth.'))).toEqual([]);
  });
});
