import { expect, it } from 'vitest';
import {
  renameNodeInFiles,
  type NodeRenameFiles,
} from '../../../../../src-main/domain/authoring/edit/rename-node.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';

const workflow = `nodes:
  - id: ask
    type: http
  - id: use
    type: set
    values:
      x: =nodes.ask.body
      y: =nodes.ask +
      z: =nodes[row.ask]
`;
const tests = `tests:
  - name: ask   # ask
    rows: [{ ask: 1 }]
    mocks: { ask: ask, use: x }
    expect:
      status: completed
      trace:
        - row: 1
          nodes: { ask: { status: done, value: ask } }
`;
const cassette = '{"rowbench": 1, "entries": [{"place": "ask/0/ask"}, {"place": "use"}, {"text": "ask"}]}\n';

function renamed(files: NodeRenameFiles, id: string, newId: string): NodeRenameFiles {
  const result = renameNodeInFiles(files, { id, newId });
  if (result.refusal) throw new Error(result.refusal.reason);
  return {
    workflow: applyChanges(files.workflow, result.workflow),
    tests: files.tests.map((text, index) => applyChanges(text, result.tests[index] ?? [])),
    cassettes: files.cassettes.map((text, index) => applyChanges(text, result.cassettes[index] ?? [])),
  };
}

const files = { workflow, tests: [tests, 'tests: []\n'], cassettes: [cassette] };

it('a renamed node is renamed in mocks, traces and cassettes, and nowhere else', () => {
  expect(renamed(files, 'ask', 'query')).toEqual({
    workflow: workflow.replace('id: ask', 'id: query').replace('nodes.ask.body', 'nodes.query.body'),
    tests: [
      tests.replace('{ ask: ask, use', '{ query: ask, use').replace('{ ask: { status', '{ query: { status'),
      'tests: []\n',
    ],
    cassettes: [cassette.replace('ask/0/ask', 'query/0/ask')],
  });
});

it('lines where a mistake may hide a reference are named', () => {
  const result = renameNodeInFiles(files, { id: 'ask', newId: 'query' });
  expect(result.refusal ?? result.unclearLines).toEqual([8, 9]);
});

it('a file that cannot be edited keeps all files as they are', () => {
  const broken = { ...files, tests: [tests, 'tests: [ask'] };
  expect(renameNodeInFiles(broken, { id: 'ask', newId: 'query' }).refusal).toMatchObject({
    file: 'tests',
    index: 1,
    line: 1,
  });
  expect(renameNodeInFiles(files, { id: 'ask', newId: 'use' }).refusal).toMatchObject({ file: 'workflow' });
});
