import { expect, it } from 'vitest';
import { applyChanges } from '../../../../../src-main/contract/index.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { outlineOf } from '../../../../../src-main/domain/workflow/outline.ts';
import { writeMock } from '../../../../../src-renderer/state/workflow/preview/write-mock.ts';

it('a mock is written into its node, also behind a node without an id', async () => {
  let text = 'nodes:\n  - type: set\n  - id: ask\n    type: http\n';
  const session = {
    checked: { ...outlineOf(text), issues: [] },
    edit: async (edits: Parameters<typeof editWorkflow>[1]) => {
      const { changes, refusal } = editWorkflow(text, edits);
      text = applyChanges(text, changes ?? []);
      return refusal;
    },
  };
  await writeMock(session, { nodeId: 'ask', name: 'good', value: 1 });
  await writeMock(session, { nodeId: 'ask', name: 'bad', value: { error: 'x' } });
  expect(text).toContain('  - type: set\n  - id: ask\n    type: http\n    mock:');
  expect(outlineOf(text).nodes.map(({ id }) => id)).toEqual(['ask']);
  expect(text.indexOf('good')).toBeGreaterThan(text.indexOf('id: ask'));
  expect(text).toContain('attempts');
});
