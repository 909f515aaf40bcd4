// The text of a value while it is edited in a field: when the file has it, and what becomes of it otherwise.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { EditorQuestion } from '../../../../../src-main/contract/index.ts';
import { nodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import type { TextKind } from '../../../../../src-renderer/state/workflow/form/field-text.ts';
import { valueInNode } from '../../../../../src-renderer/state/workflow/form/form-edits.ts';
import { NodeFormEditor } from '../../../../../src-renderer/state/workflow/form/node-form.svelte.ts';
import { Toasts } from '../../../../../src-renderer/state/toasts.svelte.ts';
import { ValueEdit } from '../../../../../src-renderer/state/workflow/form/value-edit.svelte.ts';
import { LivePreview } from '../../../../../src-renderer/state/workflow/preview/live-preview.svelte.ts';
import { openSession } from '../files/open-session.ts';
import type { ServedTexts } from '../files/text-server.ts';

const own = 'leads.workflow.yaml';
const textWith = (x: string): string =>
  `rowbench: 1\nid: leads\nnodes:\n  - id: a\n    type: set\n    values:\n      x: ${x}\n`;

function answerOf({ name, input }: EditorQuestion, { [own]: text = '' }: ServedTexts): unknown {
  if (name === 'edit') return editWorkflow(text, input.edits);
  if (name === 'form') return nodeForm(text, input.nodeId ?? null);
  return name === 'check' ? { nodes: [], edges: [], edgesLeftOut: 0, issues: [], sidecars: {} } : undefined;
}

/** The field `x` of a node. */
async function openField(x: string, kind: TextKind = 'value') {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { call, workflowId, session } = await openSession({ [own]: textWith(x) }, answerOf);
  const preview = new LivePreview({ call, ask: () => Promise.resolve(undefined), workflowId });
  const toasts = new Toasts();
  const editor = new NodeFormEditor({ call, session, preview, toasts });
  editor.follow('a');
  await vi.waitFor(() => expect(editor.form).toBeDefined());
  const path = ['values', 'x'];
  const edit = new ValueEdit(() => ({
    ...{ editor, path, kind, isRequired: true, label: 'x' },
    value: editor.form && valueInNode(editor.form.node, path),
  }));
  editor.flushBy(() => edit.finish());
  const write = (text: string) => {
    edit.type(text);
    return edit.write();
  };
  return { session, editor, edit, write };
}

it('what is typed is in the file before a save, though the pause after the last key is not over', async () => {
  const { session, edit } = await openField('one');
  edit.enter();
  edit.type('two');
  await session.flush();
  expect(session.text).toBe(textWith('two'));
  edit.type('three');
  void edit.leave();
  await session.flush();
  expect(session.text).toBe(textWith('three'));
});

it('a text that cannot be written is named once its field goes, even after the focus left it', async () => {
  const { session, edit } = await openField('{ y: 1 }', 'json');
  edit.enter();
  edit.type('{ "y": ');
  void edit.leave();
  expect(await edit.leave()).toMatch(/^x was not written\. This is not JSON: /);
  expect(edit.text).toBe('{ "y": ');
  expect(session.text).toBe(textWith('{ y: 1 }'));
  edit.enter();
  edit.revert();
  expect(await edit.leave()).toBeUndefined();
});

it('the first text of a stay takes its step back, and is written if the file has another value then', async () => {
  const { session, editor, edit, write } = await openField('one');
  edit.enter();
  await write('two');
  await write('one');
  expect(session.lastStep).toBeUndefined();
  await write('two');
  await edit.leave();
  edit.enter();
  session.undo();
  await editor.refresh();
  await write('three');
  await write('two');
  expect(edit.text).toBe('two');
  expect(session.text).toBe(textWith('two'));
});
