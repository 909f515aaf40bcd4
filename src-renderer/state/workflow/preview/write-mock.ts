import type { JsonObject, JsonValue } from '#contract';
import type { Session } from '../../live/session.svelte.ts';
import { nodeWithId } from '../graph/open-body.ts';
import type { EditorSession } from '../files/editor-session.svelte.ts';

export type NewMock = { readonly nodeId: string; readonly name: string; readonly value: JsonValue };

/** The value of a new mock of a node of this type. */
export async function mockTemplate(call: Session['call'], type: string | undefined): Promise<JsonObject> {
  const types = await call('author.nodeTypes', {});
  return types.find((each) => each.type === type)?.mockTemplate ?? {};
}

/** Writes a mock with this value into the draft. Throws an error with a message for the user. */
export async function writeMock(
  session: Pick<EditorSession, 'checked' | 'edit'>,
  { nodeId, name, value }: NewMock,
): Promise<void> {
  const path = nodeWithId(session.checked?.nodes ?? [], nodeId)?.path;
  if (path === undefined) throw new Error(`The draft has no node "${nodeId}" now.`);
  const label = 'Write a mock';
  const answer = answerOf(value);
  const first = await session.edit(
    [{ kind: 'insertKey', path: [...path], key: 'mock', value: { [name]: answer } }],
    label,
  );
  if (first === undefined) return;
  // The node has mocks already.
  const refusal = await session.edit(
    [{ kind: 'insertKey', path: [...path, 'mock'], key: name, value: answer }],
    label,
  );
  if (refusal !== undefined) throw new Error(refusal.reason);
}

/** The value as a mock has it: an object with the only key `error` or `attempts` would mean something else. */
function answerOf(value: JsonValue): JsonValue {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.length === 1 && (keys[0] === 'error' || keys[0] === 'attempts')
    ? { attempts: [{ value }] }
    : value;
}
