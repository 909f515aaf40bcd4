// Moves of a body into a workflow of its own, and back, in the texts of a window.
import { dirname } from 'node:path';
import type { MovedInView, MovedOutView } from '../../../contract/index.ts';
import type { Services } from '../../../services/services.ts';
import type { EditorTexts } from './editor-texts.ts';

type Texts = Pick<EditorTexts, 'loaded' | 'own' | 'text'>;

/** The new workflow lies beside the old one: the nodes name files from there. */
export async function planMoveOut(
  { authoring: { draftParser } }: Services,
  { loaded, own, text }: Texts,
  move: { readonly id: string; readonly newId: string },
): Promise<MovedOutView> {
  const moved = await draftParser.moveBodyOut(text, move);
  if (moved.refusal !== undefined) return { refusal: moved.refusal };
  const created = { folder: dirname(loaded.file), name: `${move.newId}.workflow.yaml`, text: moved.text };
  return { files: [{ name: own, changes: moved.changes }], created };
}

export async function planMoveIn(
  { authoring: { draftParser }, workflows: { workflows } }: Services,
  { own, text }: Texts,
  nodeId: string,
): Promise<MovedInView> {
  const form = await draftParser.form(text, nodeId);
  const calledId = form.kind === 'form' ? form.node['workflow'] : undefined;
  if (typeof calledId !== 'string') return refused(`The node ${JSON.stringify(nodeId)} calls no workflow`);
  const called = await workflows.find(calledId);
  if (called === undefined) return refused(`There is no workflow ${JSON.stringify(calledId)}`);
  const moved = await draftParser.moveBodyIn(text, nodeId, { id: calledId, text: called.source });
  if (moved.refusal !== undefined) return { refusal: moved.refusal };
  return { files: [{ name: own, changes: moved.changes }], calledId, unchecked: moved.unchecked };
}

const refused = (reason: string): MovedInView => ({ refusal: { reason, line: 1 } });
