import { describe, expect, it } from 'vitest';
import { EditableFile } from '../../../../../src-main/domain/authoring/edit/editable-file.ts';
import {
  editWorkflow,
  type WorkflowEdit,
} from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { composeFile } from '../../../../../src-main/domain/workflow/compose-file.ts';
import { runEditCases, type EditCase } from './run-edit-cases.ts';

const flow = `rowbench: 1
id: flow   # the flow

nodes:
  - id: input
    type: input

  # About a. nodes.a stays a comment.
  - id: a
    type: set
    values:
      host: =row.email.split('@')[1]
      text: "nodes.a is text"

  - id: b
    type: code
    when: nodes.a.host
    code: |
      const { a, input: first } = nodes; // nodes.a
      const text = 'nodes.a';
      return [a.host, nodes?.a, nodes['a'], nodes[\`a\`], text, ((nodes) => nodes.a)(first)];
    after: [a, input]

  - { id: c, type: output, fields: { label: "{{ nodes.a.host }} of {{ nodes.b }}", all: =nodes.b }, after: b }
`;

const edit = (
  title: string,
  workflowEdit: WorkflowEdit,
  after: string | RegExp,
  before = flow,
): EditCase => ({
  title,
  before,
  after,
  edit: (text) => editWorkflow(text, workflowEdit),
});
const replaced = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, flow);

describe('a node', () => {
  runEditCases([
    edit(
      'is added behind the others',
      { kind: 'addNode', node: { id: 'd', type: 'delay', for: '1s' } },
      replaced([', after: b }\n', ', after: b }\n\n  - { id: d, type: delay, for: 1s }\n']),
    ),
    edit(
      'is added at an index',
      { kind: 'addNode', node: { id: 'd', type: 'set', values: { x: '=nodes.a' } }, index: 1 },
      replaced(['  # About a.', '  - id: d\n    type: set\n    values:\n      x: =nodes.a\n\n  # About a.']),
    ),
    edit(
      'is the first of all',
      { kind: 'addNode', node: { id: 'd', type: 'input' } },
      'rowbench: 1\nnodes:\n  - id: d\n    type: input\n',
      'rowbench: 1\nnodes:\n',
    ),
    edit('has an id that is free', { kind: 'addNode', node: { id: 'b', type: 'set' } }, /a node "b" already/),
    edit('has an id that can be one', { kind: 'addNode', node: { id: 'b c', type: 'set' } }, /A node id is/),
    edit(
      'is copied with its comment',
      { kind: 'duplicateNode', id: 'a', newId: 'a2' },
      replaced([
        `text: "nodes.a is text"\n`,
        `text: "nodes.a is text"\n\n  # About a. nodes.a stays a comment.\n  - id: a2\n    type: set\n    values:\n      host: =row.email.split('@')[1]\n      text: "nodes.a is text"\n`,
      ]),
    ),
    edit(
      'is copied in braces',
      { kind: 'duplicateNode', id: 'c', newId: 'd' },
      flow + flow.slice(flow.indexOf('\n  - { id: c')).replace('id: c', 'id: d'),
    ),
    edit('is not copied to an id that is taken', { kind: 'duplicateNode', id: 'a', newId: 'b' }, /already/),
    edit(
      'moves',
      { kind: 'moveNode', id: 'c', to: 0 },
      'nodes:\n  - { id: c }\n  - id: a # a\n',
      'nodes:\n  - id: a # a\n  - { id: c }\n',
    ),
    edit(
      'that nothing reads is deleted',
      { kind: 'deleteNodes', ids: ['c'] },
      flow.slice(0, flow.indexOf('\n  - { id: c')),
    ),
    edit('that others read is not deleted', { kind: 'deleteNodes', ids: ['a'] }, /read it: b, c/),
    edit('that others wait for is not deleted', { kind: 'deleteNodes', ids: ['input'] }, /read it: b/),
    edit(
      'that others read is deleted by force',
      { kind: 'deleteNodes', ids: ['a'], force: true },
      flow.slice(0, flow.indexOf('  # About')) + flow.slice(flow.indexOf('  - id: b')),
    ),
    edit(
      'with its readers is deleted',
      { kind: 'deleteNodes', ids: ['b', 'a', 'c'] },
      flow.slice(0, flow.indexOf('\n  # About')),
    ),
    edit('that another one reads is not deleted', { kind: 'deleteNodes', ids: ['a', 'b'] }, /read them: c/),
    edit('that is not there is not deleted', { kind: 'deleteNodes', ids: ['x'] }, /no node "x"/),
    edit(
      'of an id that stands twice is not deleted',
      { kind: 'deleteNodes', ids: ['a'] },
      /two nodes "a"/,
      'nodes:\n  - id: a\n  - id: a\n',
    ),
  ]);
  it('that is read names its readers in the refusal, with its line', () => {
    expect(editWorkflow(flow, { kind: 'deleteNodes', ids: ['a'] }).refusal).toMatchObject({
      reads: [
        { id: 'b', field: 'when', line: 17 },
        { id: 'b', field: 'code', line: 18 },
        { id: 'b', field: 'after[0]', line: 22 },
        { id: 'c', field: 'fields.label', line: 24 },
      ],
      line: 9,
    });
  });
});

describe('a rename of a node', () => {
  const renamed = replaced(
    ['- id: a\n', '- id: alpha\n'],
    ['when: nodes.a.host', 'when: nodes.alpha.host'],
    ['{ a, input', '{ alpha: a, input'],
    ["nodes?.a, nodes['a'], nodes[`a`]", "nodes?.alpha, nodes['alpha'], nodes[`alpha`]"],
    ['[a, input]', '[alpha, input]'],
    ['{{ nodes.a.host }}', '{{ nodes.alpha.host }}'],
  );
  const one = (code: string): string =>
    `nodes:\n  - id: a\n    type: set\n  - id: b\n    type: set\n    values:\n      x: ${code}\n`;
  const a2 = (code: string): string => one(code).replace('id: a', 'id: a2');
  const rename = { kind: 'renameNode', id: 'a', newId: 'a2' } as const;
  runEditCases([
    edit(
      'follows references in expressions, code, templates and after, and nothing else',
      { kind: 'renameNode', id: 'a', newId: 'alpha' },
      renamed,
    ),
    edit(
      'keeps escapes beside a reference',
      rename,
      a2('"=\\u006eodes.a2 + \'\\u00e9\' + nodes.a2"'),
      one('"=\\u006eodes.a + \'\\u00e9\' + nodes.a"'),
    ),
    edit('keeps single quotes', rename, a2("'=nodes.a2 + ''x'''"), one("'=nodes.a + ''x'''")),
    edit(
      'keeps folded lines',
      rename,
      a2('>-\n        =nodes.a2\n        + nodes.a2.b'),
      one('>-\n        =nodes.a\n        + nodes.a.b'),
    ),
    edit(
      'adds quotes to the one text that needs them then',
      rename,
      'nodes:\n  - id: a2\n  - id: b\n    type: code\n    code: "const { a2: a = 1 } = nodes; return a;"\n    when: >-\n      nodes.a2 >\n      1\n',
      'nodes:\n  - id: a\n  - id: b\n    type: code\n    code: const { a = 1 } = nodes; return a;\n    when: >-\n      nodes.a >\n      1\n',
    ),
    edit(
      'leaves data of mocks and of test rows',
      rename,
      'nodes:\n  - id: a2\n    type: input\n    testRows: [{ x: =nodes.a }]\n  - id: b\n    type: set\n    values: {}\n    mock: { x: =nodes.a }\n',
      'nodes:\n  - id: a\n    type: input\n    testRows: [{ x: =nodes.a }]\n  - id: b\n    type: set\n    values: {}\n    mock: { x: =nodes.a }\n',
    ),
    edit(
      'follows cases and replaced values',
      rename,
      'nodes:\n  - id: a2\n  - id: b\n    type: switch\n    cases: [{ when: nodes.a2, value: =nodes.a2 }]\n    onError: { value: =nodes.a2 }\n',
      'nodes:\n  - id: a\n  - id: b\n    type: switch\n    cases: [{ when: nodes.a, value: =nodes.a }]\n    onError: { value: =nodes.a }\n',
    ),
    edit(
      'follows references beside mistakes',
      rename,
      'nodes:\n  - id: a2\n  - id: b\n    type: set\n    valus: {}\n    values: { x: =nodes.a2 + oops, y: "=1 +" }\n',
      'nodes:\n  - id: a\n  - id: b\n    type: set\n    valus: {}\n    values: { x: =nodes.a + oops, y: "=1 +" }\n',
    ),
    edit(
      'stays JSON',
      rename,
      '{"nodes": [{"id": "a2"}, {"id": "b", "type": "set", "values": {"x": "=nodes[\\"a2\\"]"}, "after": "a2"}]}\n',
      '{"nodes": [{"id": "a"}, {"id": "b", "type": "set", "values": {"x": "=nodes[\\"a\\"]"}, "after": "a"}]}\n',
    ),
    edit('is refused where the name is taken', { kind: 'renameNode', id: 'a', newId: 'b' }, /already/),
    edit(
      'is refused where the name cannot be one',
      { kind: 'renameNode', id: 'a', newId: '__proto__' },
      /cannot be a node id/,
    ),
    edit('to the same name writes nothing', { kind: 'renameNode', id: 'a', newId: 'a' }, flow),
  ]);
});

describe('an edge', () => {
  const connect = (from: string, to: string, field?: (string | number)[], offset?: number): WorkflowEdit => ({
    kind: 'connect',
    from,
    to,
    ...(field && { field }),
    ...(offset === undefined ? {} : { offset }),
  });
  const two =
    'nodes:\n  - id: a\n    type: set\n  - id: b # b\n    type: set\n    values: { x: 1, y: =row.y +, z: by }\n';
  runEditCases([
    edit('of order is the key after', connect('a', 'b'), two + '    after: a\n', two),
    edit(
      'of order makes a list of one',
      connect('input', 'c'),
      replaced(['after: b }', 'after: [b, input] }']),
    ),
    edit(
      'of order joins a list',
      connect('c', 'b'),
      '- { id: c }\n- { id: b, after: [a, c] }\n'.replace(/^/, 'nodes:\n'),
      'nodes:\n- { id: c }\n- { id: b, after: [a] }\n',
    ),
    edit('that is there already writes nothing', connect('a', 'b'), flow),
    edit(
      'of data fills a field',
      connect('a', 'b', ['values', 'n']),
      two.replace('z: by', 'z: by, n: =nodes.a'),
      two,
    ),
    edit(
      'of data replaces a number',
      connect('a', 'b', ['values', 'x']),
      two.replace('x: 1', 'x: =nodes.a'),
      two,
    ),
    edit(
      'of data goes into an expression',
      connect('a', 'b', ['values', 'y']),
      two.replace('row.y +', 'row.y + nodes.a'),
      two,
    ),
    edit(
      'of data goes into a text at the caret',
      connect('a', 'b', ['values', 'z'], 0),
      two.replace('z: by', 'z: "{{ nodes.a }}by"'),
      two,
    ),
    edit(
      'of data goes into a placeholder at the caret',
      connect('input', 'c', ['fields', 'label'], 3),
      replaced(['"{{ nodes.a.host', '"{{ nodes.inputnodes.a.host']),
    ),
    edit(
      'of data goes into a condition without =',
      connect('a', 'b', ['when']),
      two + '    when: nodes.a\n',
      two,
    ),
    edit(
      'of data goes into code',
      connect('input', 'b', ['code'], 0),
      replaced(['      const { a', '      nodes.inputconst { a']),
    ),
    edit(
      'of data goes behind a text',
      connect('a', 'b', ['values', 'z']),
      two.replace('z: by', 'z: "by {{ nodes.a }}"'),
      two,
    ),
    edit(
      'of data takes the place of an expression that is complete',
      connect('input', 'b', ['when']),
      replaced(['when: nodes.a.host', 'when: nodes.input']),
    ),
    edit(
      'of data is a variable in code',
      connect('input', 'b', ['code']),
      'nodes:\n  - id: input\n  - id: b\n    type: code\n    code: |\n      const input = nodes.input;\n      return 1;\n',
      'nodes:\n  - id: input\n  - id: b\n    type: code\n    code: |\n      return 1;\n',
    ),
    edit('of data needs a field for code', connect('a', 'b', ['id']), /id cannot hold a reference/, two),
    edit('that closes a circle is refused with its path', connect('c', 'a'), /a -> c -> .*a/),
    edit('to a node that is not there is refused', connect('x', 'a'), /no node "x"/),
    edit(
      'of order is removed with its key',
      { kind: 'disconnect', from: 'a', to: 'b' },
      'nodes:\n- id: a\n- id: b\n',
      'nodes:\n- id: a\n- id: b\n  after: a\n',
    ),
    edit('of order is removed from a list', { kind: 'disconnect', from: 'input', to: 'b' }, /input in code/),
    edit(
      'of order leaves the others in the list',
      { kind: 'disconnect', from: 'a', to: 'c' },
      'nodes:\n- id: c\n  after: [b]\n',
      'nodes:\n- id: c\n  after: [a, b]\n',
    ),
    edit(
      'of data names its places and stays',
      { kind: 'disconnect', from: 'b', to: 'c' },
      /fields\.label, fields\.all/,
    ),
    edit('that is not there is not removed', { kind: 'disconnect', from: 'c', to: 'a' }, /does not wait/),
    edit(
      'of data leads to another node',
      { kind: 'rewire', node: 'c', from: 'b', to: 'input' },
      replaced(
        ['{{ nodes.b }}', '{{ nodes.input }}'],
        ['=nodes.b', '=nodes.input'],
        ['after: b', 'after: input'],
      ),
    ),
  ]);
});

it('the check of an edited text uses what the edit has read', () => {
  const { changes = [] } = editWorkflow(flow, { kind: 'duplicateNode', id: 'a', newId: 'a2' });
  const text = applyChanges(flow, changes);
  const composed = composeFile(text);
  expect('documents' in composed && composed.documents[0]?.contents).toBe(new EditableFile(text).root);
});
