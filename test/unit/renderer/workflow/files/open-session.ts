// A session of the editor whose server answers by a function.
import { onTestFinished, vi } from 'vitest';
import { EditorClaim } from '../../../../../src-renderer/state/workflow/files/editor-claim.svelte.ts';
import { EditorSession } from '../../../../../src-renderer/state/workflow/files/editor-session.svelte.ts';
import { plainEditor } from './plain-editor.ts';
import { textServer, type ServedTexts } from './text-server.ts';

type Answer = Parameters<typeof textServer>[1];

/** @param texts of the files, by name: the first one is in the editor of the answer */
export async function openSession(texts: ServedTexts, answer: Answer, isEditor = true) {
  vi.stubGlobal('sessionStorage', { getItem: () => 'editor' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const files = Object.entries(texts).map(([name, text]) => ({ name, text, hash: name }));
  const opened = { files, unopened: [] };
  const server = textServer({}, answer);
  const call = (async (name: string, input: never) => {
    if (name === 'author.change') return (await server.change(input)).view;
    if (name === 'author.ask') return server.ask(input);
    if (name === 'author.open') return opened;
    return name === 'author.claim' ? { isEditor } : {};
  }) as never;
  const workflowId = 'leads';
  const claim = new EditorClaim(call, workflowId);
  await claim.request();
  const session = new EditorSession({ call, workflowId, opened, claim });
  const [editor] = files.map(({ name }) => {
    const attached = plainEditor(session, name);
    session.attach(name, attached);
    return attached;
  });
  if (editor === undefined) throw new Error('a session has a file');
  return { call, workflowId, session, editor };
}
