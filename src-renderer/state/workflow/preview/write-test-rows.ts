import type { JsonObject } from '#contract';
import type { EditorSession } from '../files/editor-session.svelte.ts';

/** Writes the rows into the draft as the test rows of its input node. Throws an error with a message for the user. */
export async function writeTestRows(
  session: Pick<EditorSession, 'checked' | 'edit'>,
  rows: readonly JsonObject[],
): Promise<void> {
  const index = session.checked?.nodes.findIndex(({ type }) => type === 'input') ?? -1;
  if (index < 0) throw new Error('The draft has no input node that could have test rows.');
  const path = ['nodes', index];
  const label = 'Write test rows';
  const refusal = await session.edit([{ kind: 'insertKey', path, key: 'testRows', value: [...rows] }], label);
  if (refusal === undefined) return;
  const second = await session.edit(
    [{ kind: 'setValue', path: [...path, 'testRows'], value: [...rows] }],
    label,
  );
  if (second !== undefined) throw new Error(second.reason);
}
