import { describe, expect, it } from 'vitest';
import { connectionFields } from '../../../../../src-main/domain/authoring/edit/connection-fields.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { freeNodeId } from '../../../../../src-main/domain/nodes/free-node-id.ts';
import { nodeTypeNames, nodeTypes } from '../../../../../src-main/domain/nodes/catalogue.ts';
import { parseWorkflow } from '../../../../../src-main/domain/workflow/parse-workflow.ts';
import { runEditCases, type EditCase } from './run-edit-cases.ts';

const flow = `rowbench: 1
id: flow
nodes:
  - id: input
    type: input

  # Asks.
  - id: ask
    type: set
    values: { host: =row.email }
  - id: result
    type: output
    fields: { host: =nodes.ask.host }
`;

const paste = (
  title: string,
  text: string,
  after: string | RegExp,
  rest: Partial<EditCase> & { index?: number } = {},
): EditCase => {
  const { index, ...others } = rest;
  return {
    title,
    before: flow,
    after,
    edit: (before) =>
      editWorkflow(before, { kind: 'pasteNodes', text, ...(index === undefined ? {} : { index }) }),
    ...others,
  };
};

const part = `# Asks.
- id: ask
  type: set # kept
  values:   { host: =row.email }
- id: more
  type: code
  code: |
    // nodes.ask
    return nodes.ask.host + nodes.input.email;

`;

describe('pasted nodes', () => {
  runEditCases([
    paste(
      'keep their text, get free ids, and read each other',
      part,
      flow.replace(
        '  - id: result',
        `  # Asks.
  - id: ask2
    type: set # kept
    values:   { host: =row.email }
  - id: more
    type: code
    code: |
      // nodes.ask
      return nodes.ask2.host + nodes.input.email;
  - id: result`,
      ),
      { index: 2 },
    ),
    paste(
      'go to the end, with line breaks of Windows on the clipboard',
      '- id: pause\r\n  type: delay\r\n  for: 1s\r\n',
      `${flow}  - id: pause\n    type: delay\n    for: 1s\n`,
    ),
    paste(
      'may be indented, and begin behind the indentation of their first line',
      '- id: pause\n    type: delay\n    for: 1s\n  - id: ask\n    type: set\n    values: {}\n',
      `${flow}  - id: pause\n    type: delay\n    for: 1s\n  - id: ask2\n    type: set\n    values: {}\n`,
    ),
    paste(
      'may be one node without its dash',
      'id: pause\ntype: delay\nfor: 1s',
      `${flow}  - id: pause\n    type: delay\n    for: 1s\n`,
    ),
    paste(
      'may be a whole workflow',
      'rowbench: 1\nid: other\nnodes:\n- { id: pause, type: delay, for: 1s }\n',
      `${flow}  - { id: pause, type: delay, for: 1s }\n`,
    ),
    paste(
      'may be JSON',
      '[{ "id": "pause", "type": "delay", "for": "1s" }]',
      `${flow}  - id: pause\n    type: delay\n    for: 1s\n`,
    ),
    paste(
      'stay JSON in JSON',
      '- id: pause\n  type: delay\n  for: 1s\n',
      '{ "nodes": [{ "id": "ask" }, { "id": "pause", "type": "delay", "for": "1s" }] }',
      { before: '{ "nodes": [{ "id": "ask" }] }' },
    ),
    paste(
      'are the first ones',
      '- id: pause\n  type: delay\n',
      'id: x\nnodes:\n  - id: pause\n    type: delay\n',
      {
        before: 'id: x\nnodes:\n',
      },
    ),
    paste('need an id', '- type: set\n', /no nodes/),
    paste('need ids of their own', '- id: a\n- id: a\n', /no nodes/),
    paste('are no other text', 'Hello, world', /no nodes/),
    paste('are no broken text', '- id: [', /no nodes/),
  ]);
});

it('a taken id gets the first free number', () => {
  expect(freeNodeId('set', [])).toBe('set');
  expect(freeNodeId('set', ['set'])).toBe('set2');
  expect(freeNodeId('set2', ['set', 'set2', 'set3'])).toBe('set4');
  expect(freeNodeId('a'.repeat(64), ['a'.repeat(64)])).toBe(`${'a'.repeat(58)}2`);
});

it('a new node of each type is valid, but for the files and workflows that it names', () => {
  for (const type of nodeTypeNames.filter((name) => name !== 'input')) {
    const node = { id: 'fresh', type, ...nodeTypes[type].intents[0].newKeys };
    const { changes = [], refusal } = editWorkflow(flow, { kind: 'addNode', node, index: 2 });
    expect(refusal, type).toBeUndefined();
    const { issues } = parseWorkflow(applyChanges(flow, changes));
    expect(
      issues.filter(({ severity }) => severity === 'error'),
      type,
    ).toEqual([]);
  }
});

describe('the fields of a connection', () => {
  it('are those that can hold a reference, with their text after it', () => {
    const text = flow.replace('{ host: =nodes.ask.host }', '{ label: "Of ", host: =row.host }');
    expect(connectionFields(text, { from: 'ask', to: 'result' }).fields).toEqual([
      { field: ['fields', 'label'], name: 'fields.label', before: 'Of ', after: 'Of {{ nodes.ask }}' },
      { field: ['fields', 'host'], name: 'fields.host', before: '=row.host', after: '=nodes.ask' },
      { field: ['fields', 'ask'], name: 'fields.ask', after: '=nodes.ask' },
      { field: ['when'], name: 'when', after: 'nodes.ask' },
    ]);
  });

  it('are those of a new case of a switch, too', () => {
    const node = { id: 'choose', type: 'switch', ...nodeTypes.switch.intents[0].newKeys };
    const { changes = [] } = editWorkflow(flow, { kind: 'addNode', node, index: 2 });
    const { fields } = connectionFields(applyChanges(flow, changes), { from: 'ask', to: 'choose' });
    expect(fields?.slice(0, 2)).toEqual([
      { field: ['cases', 0, 'value'], name: 'cases[0].value', before: '', after: '=nodes.ask' },
      { field: ['cases', 0, 'when'], name: 'cases[0].when', before: 'true', after: 'nodes.ask' },
    ]);
  });

  it('are none within an expression that stands in place of names', () => {
    const text = flow.replace('{ host: =nodes.ask.host }', '=row');
    expect(connectionFields(text, { from: 'ask', to: 'result' }).fields?.map(({ name }) => name)).toEqual([
      'fields',
      'when',
    ]);
  });

  it('are refused with the path where the nodes would wait for each other', () => {
    expect(connectionFields(flow, { from: 'result', to: 'ask' }).refusal?.reason).toContain(
      'ask -> result -> ask',
    );
  });

  it('are refused for a broken text with its line', () => {
    expect(connectionFields(`${flow}  - id: [`, { from: 'ask', to: 'result' }).refusal).toMatchObject({
      line: 14,
    });
  });
});
