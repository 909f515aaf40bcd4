// The form of a node, made of the schema of its type.
import { describe, expect, it } from 'vitest';
import type { FormControl, NodeField } from '../../../../../src-main/domain/authoring/create/node-field.ts';
import { nodeForm, type NodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import { nodeTypeNames, nodeTypes } from '../../../../../src-main/domain/nodes/catalogue.ts';
import { nodeSchema } from '../../../../../src-main/domain/nodes/node-schema.ts';

const textWith = (node: string): string =>
  `rowbench: 1\nid: leads\nnodes:\n${node.replace(/^(?=.)/gm, '  ')}\n  - id: result\n    type: output\n    fields: {}\n`;

function formOf(text: string, nodeId: string): NodeForm {
  const form = nodeForm(text, nodeId);
  if (form.kind !== 'form') throw new Error(`There is no form: ${form.kind}`);
  return form;
}

const controlOf = (form: NodeForm, key: string): FormControl | undefined =>
  [...form.fields, ...form.commonFields].find(({ label }) => label === key)?.control;

describe('the form of a node', () => {
  it.each(nodeTypeNames)('has each key of the type %s once, with a description', (type) => {
    const { example } = nodeTypes[type];
    const id = /id: (\w+)/.exec(example)?.[1] ?? '';
    const form = formOf(textWith(example), id);
    const labels = [...form.fields, ...form.commonFields].map(({ label }) => label);
    expect(labels.toSorted()).toEqual(Object.keys(nodeSchema(type, { hasEach: true }).shape).toSorted());
    expect(labels.slice(0, 2)).toEqual(['id', 'type']);
    expect(form.unknown).toEqual([]);
    expect(descriptions([...form.fields, ...form.commonFields])).not.toContain(undefined);
    expect(form.title).toBe(nodeTypes[type].title);
  });

  it('has the comment above the node', () => {
    expect(formOf(textWith('# Sign up.\n# Two lines.\n- { id: a, type: set, values: {} }'), 'a').note).toBe(
      'Sign up.\nTwo lines.',
    );
    expect(formOf(textWith('- { id: a, type: set, values: {} } # here'), 'a').note).toBeUndefined();
  });

  it('of the workflow has its own keys, with what is wrong at them', () => {
    const form = nodeForm('rowbench: 1\nid: a\nconcurrency: 0\nnodes: [{ id: x }]\n', null);
    if (form.kind !== 'form') throw new Error('There is no form');
    expect(form).toMatchObject({ path: [], node: { nodes: [] }, issues: [{ path: ['concurrency'] }] });
    expect(form.fields.map(({ title }) => title)).toEqual([
      'Name',
      'Description',
      'Variables',
      'Rows at once',
      'If a row fails',
      'Token budget',
      'Once it is used up',
    ]);
  });

  it('tells expressions, texts, values and groups apart', () => {
    const { example } = nodeTypes.http;
    const form = formOf(textWith(example), 'company');
    expect(controlOf(form, 'when')).toEqual({ kind: 'expression' });
    expect(controlOf(form, 'timeout')).toEqual({ kind: 'duration' });
    expect(controlOf(form, 'expect')).toMatchObject({
      kind: 'list',
      items: [{ path: ['expect', 0], control: { kind: 'numberOrName', names: ['4xx', '5xx'] } }],
    });
    const request = controlOf(form, 'request');
    expect(
      request?.kind === 'group' && request.fields.map(({ label, control }) => [label, control.kind]),
    ).toEqual([
      ['method', 'numberOrName'],
      ['url', 'text'],
      ['query', 'values'],
      ['headers', 'values'],
      ['body', 'value'],
      ['bodyAs', 'choice'],
      ['redirect', 'choice'],
    ]);
  });

  it('has a row for each case of a switch, and a value for a new one', () => {
    const form = formOf(textWith(nodeTypes.switch.example), 'queue');
    expect(controlOf(form, 'cases')).toMatchObject({
      kind: 'list',
      items: [{ path: ['cases', 0] }, { path: ['cases', 1] }],
      newItem: { when: '', value: '' },
    });
  });

  it('offers the nodes that can run before', () => {
    const text = `rowbench: 1\nid: leads\nnodes:
  - { id: input, type: input }
  - { id: first, type: set, values: { a: 1 } }
  - { id: second, type: set, values: { a: =nodes.first.a } }
  - { id: third, type: set, values: { a: =nodes.second.a } }
  - { id: result, type: output, fields: { a: 1 } }\n`;
    expect(controlOf(formOf(text, 'second'), 'after')).toEqual({
      kind: 'after',
      nodes: ['input', 'first', 'result'],
    });
  });

  it('chooses the alternative that the file has', () => {
    const chosen = (onError: string): readonly boolean[] => {
      const text = textWith(`- id: a\n  type: set\n  values: {}\n  onError: ${onError}`);
      const control = controlOf(formOf(text, 'a'), 'onError');
      return control?.kind === 'either' ? control.options.map(({ isChosen }) => isChosen) : [];
    };
    expect(chosen('fail')).toEqual([true, false]);
    expect(chosen('{ value: 1 }')).toEqual([false, true]);
  });

  it('shows keys that nothing knows as they are written', () => {
    const form = formOf(
      textWith(`- id: a\n  type: set\n  values: {}\n  colour:  "r\\u0065d"\n  retry: { atempts: 3 }`),
      'a',
    );
    expect(form.unknown).toEqual([{ path: ['colour'], written: '"r\\u0065d"' }]);
    expect(controlOf(form, 'retry')).toMatchObject({
      unknown: [{ path: ['retry', 'atempts'], written: '3' }],
    });
    expect(form.issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining([['colour'], ['retry', 'atempts'], ['retry', 'attempts']]),
    );
  });

  it('edits a value of another form as JSON, and says what is wrong', () => {
    const form = formOf(textWith(`- id: a\n  type: switch\n  cases: none`), 'a');
    expect(controlOf(form, 'cases')).toEqual({ kind: 'json' });
    expect(form.issues).toContainEqual({
      path: ['cases'],
      message: 'Expected a list',
      severity: 'error',
      line: 6,
      column: 12,
    });
  });

  it('lets the user choose a type where there is none of that name', () => {
    const form = formOf(textWith(`- id: a\n  type: seet\n  values: {}`), 'a');
    expect(form.fields.map(({ label }) => label)).toEqual(['id', 'type']);
    expect(form.issues[0]).toMatchObject({
      path: ['type'],
      message: expect.stringContaining('did you mean "set"') as string,
    });
  });

  it('says which line has to be fixed first', () => {
    expect(nodeForm('rowbench: 1\nnodes: [\n', 'a')).toMatchObject({ kind: 'broken', line: 2 });
    expect(nodeForm(textWith('- id: a\n  type: set\n  values: {}'), 'b')).toEqual({ kind: 'missing' });
  });
});

const descriptions = (fields: readonly NodeField[]): readonly (string | undefined)[] =>
  fields.flatMap(({ description, control }) => [
    description,
    ...(control.kind === 'group' ? descriptions(control.fields) : []),
  ]);
