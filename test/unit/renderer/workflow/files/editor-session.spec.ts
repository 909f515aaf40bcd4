// The session of a workflow's files: steps over several files, and one draft, save and question for all of them.
import { expect, it, onTestFinished, vi } from 'vitest';
import { deferred } from '../../../../../src-main/base/deferred.ts';
import type { CheckedDraft, EditedFileView, SaveView } from '../../../../../src-main/contract/index.ts';
import { EditorClaim } from '../../../../../src-renderer/state/workflow/files/editor-claim.svelte.ts';
import { EditorSession } from '../../../../../src-renderer/state/workflow/files/editor-session.svelte.ts';
import { plainEditor } from './plain-editor.ts';
import { draftTime, textServer } from './text-server.ts';

const [own, tests] = ['leads.workflow.yaml', 'leads.tests.yaml'];

function editorSession(
  onDisk: Readonly<Record<string, string>> = { [own]: 'nodes:\n', [tests]: 'tests:\n' },
) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const requests: { readonly name: string; readonly files: readonly EditedFileView[] }[] = [];
  const server = {
    saved: undefined as SaveView | undefined,
    isEditor: true,
    /** Issues of the workflow. */
    issues: [] as CheckedDraft['issues'],
    /** Draft of the workflow's own file. */
    draft: 'nodes:\n',
    opens: Promise.resolve(),
  };
  const files = Object.entries(onDisk).map(([name, text]) => ({ name, text, hash: `hash of ${text}` }));
  type Input = { readonly files?: readonly EditedFileView[]; readonly takesOver?: boolean };
  const texts = textServer(onDisk, () => ({
    ...{ nodes: [], edges: [], edgesLeftOut: 0 },
    ...{ issues: server.issues, sidecars: {} },
  }));
  const call = async (name: string, input: Input) => {
    if (name === 'author.save') {
      requests.push({ name, files: input.files ?? [] });
      return server.saved;
    }
    if (name === 'author.change') {
      const { view, draft } = await texts.change(input as never);
      if (draft !== undefined) requests.push({ name, files: draft });
      return view;
    }
    if (name === 'author.ask') return texts.ask(input as never);
    if (name === 'author.claim') return { isEditor: input.takesOver === true || server.isEditor };
    if (name === 'author.open') {
      const draft = { name: own, baseHash: 'hash of nodes:\n', text: server.draft };
      await server.opens;
      return { files, unopened: [], draft: { at: draftTime, files: [draft] } };
    }
    return {};
  };
  const options = { workflowId: 'leads', opened: { files, unopened: [] } };
  vi.stubGlobal('sessionStorage', { getItem: () => 'editor' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const claim = new EditorClaim(call as never, 'leads');
  const session = new EditorSession({ ...options, call: call as never, claim });
  const openEditor = (name: string) => {
    const editor = plainEditor(session, name);
    session.attach(name, editor);
    return editor;
  };
  const shownTexts = () => Object.fromEntries(session.files.map(({ name, text }) => [name, text]));
  return { session, openEditor, texts: shownTexts, requests, server };
}

const atStart = (insert: string) => [{ from: 0, to: 0, insert }];

it('a step over two files is undone and redone as one, after later steps of each', async () => {
  const { session, openEditor, texts } = editorSession();
  const [ownEditor, testsEditor] = [openEditor(own), openEditor(tests)];
  ownEditor.type('a');
  await session.applyToFiles(
    [
      { name: own, changes: atStart('1') },
      { name: tests, changes: atStart('1') },
    ],
    'Rename',
  );
  testsEditor.type('b');
  expect(texts()).toEqual({ [own]: '1nodes:\na', [tests]: '1tests:\nb' });
  session.undo();
  expect(session.shown).toBe(tests);
  expect(texts()).toEqual({ [own]: '1nodes:\na', [tests]: '1tests:\n' });
  session.undo();
  expect(texts()).toEqual({ [own]: 'nodes:\na', [tests]: 'tests:\n' });
  session.undo();
  expect(session.shown).toBe(own);
  expect(session.isChanged).toBe(false);
  for (let n = 0; n < 3; n += 1) session.redo();
  expect(texts()).toEqual({ [own]: '1nodes:\na', [tests]: '1tests:\nb' });
});

it('all changed files are in one draft and one save, a new one among them', async () => {
  const { session, openEditor, requests, server } = editorSession({ [own]: 'nodes:\n' });
  openEditor(own).type('a');
  const applied = session.applyToFiles([{ name: tests, changes: atStart('tests:\n') }], 'Add a test');
  openEditor(tests);
  await applied;
  const files = [
    { name: own, baseHash: 'hash of nodes:\n', text: 'nodes:\na' },
    { name: tests, baseHash: null, text: 'tests:\n' },
  ];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests.at(-1)).toEqual({ name: 'author.change', files });
  server.saved = {
    kind: 'saved',
    workflowId: 'leads',
    files: files.map(({ name }) => ({ name, hash: `new hash of ${name}` })),
    hasReplaced: false,
  };
  await session.save();
  expect(requests).toContainEqual({ name: 'author.save', files });
  expect(session.isChanged).toBe(false);
  session.undo();
  expect(session.file(tests)?.edited).toEqual({ name: tests, baseHash: `new hash of ${tests}`, text: '' });
});

it('the workflow is checked again once a table is saved, and once another program has changed a file', async () => {
  const table = 'leads.table.csv';
  const { session, openEditor, server } = editorSession({ [own]: 'nodes:\n', [table]: 'key\n' });
  const broken = { severity: 'error', message: 'the table cannot be read', line: 1, column: 1 } as const;
  server.issues = [broken];
  await session.follow();
  await vi.advanceTimersByTimeAsync(10);
  expect(session.checked?.issues).toEqual([broken]);
  openEditor(table).type('a');
  server.saved = { kind: 'saved', workflowId: 'leads', files: [], hasReplaced: false };
  server.issues = [];
  await session.save();
  await vi.waitFor(() => expect(session.checked?.issues).toEqual([]));
  server.issues = [broken];
  await session.follow();
  await vi.waitFor(() => expect(session.checked?.issues).toEqual([broken]));
});

it('a new file is no change any more once its text is undone', async () => {
  const { session, openEditor } = editorSession({ [own]: 'nodes:\n' });
  openEditor(own);
  const applied = session.applyToFiles([{ name: tests, changes: atStart('tests:\n') }], 'Add a test');
  openEditor(tests);
  await applied;
  expect(session.isChanged).toBe(true);
  session.undo();
  expect(session.isChanged).toBe(false);
  expect(session.file(tests)?.exists).toBe(false);
});

it('a conflict of two files is one question, and its answer one step', async () => {
  const { session, openEditor, texts, server } = editorSession();
  openEditor(own).type('mine');
  openEditor(tests).type('mine');
  const conflicts = [
    { name: own, text: 'theirs\n', hash: 'theirs' },
    { name: tests, text: null, hash: null },
  ];
  server.saved = { kind: 'changed', files: conflicts };
  await session.save();
  expect(session.question).toEqual({ kind: 'conflict', files: conflicts });
  const [first, second] = conflicts;
  if (first === undefined || second === undefined) return;
  await session.resolve([
    { conflict: first, text: 'theirs\n' },
    { conflict: second, text: 'tests:\nmine' },
  ]);
  expect(session.question).toBeUndefined();
  expect(session.file(own)?.isChanged).toBe(false);
  expect(session.file(tests)?.edited).toEqual({ name: tests, baseHash: null, text: 'tests:\nmine' });
  session.undo();
  expect(texts()).toEqual({ [own]: 'nodes:\nmine', [tests]: 'tests:\nmine' });
});

it('a plan is calls for again if the user types meanwhile', async () => {
  const { session, openEditor, texts } = editorSession();
  const editor = openEditor(own);
  let calls = 0;
  const refusal = await session.applyPlan(async () => {
    calls += 1;
    if (calls === 1) editor.type('a');
    return { files: [{ name: own, changes: atStart(`${session.text.length} `) }] };
  }, 'Edit');
  expect(refusal).toBeUndefined();
  expect(calls).toBe(2);
  expect(texts()[own]).toBe('8 nodes:\na');
});

// Letters that were typed right after "Edit here" were replaced by the draft of the other window.
it('a window that takes over shows the last draft before it can be typed into, and keeps what is typed', async () => {
  const { session, openEditor, texts, server } = editorSession();
  const editor = openEditor(own);
  Object.assign(server, { isEditor: false, draft: 'theirs' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(session.isElsewhere).toBe(true);
  expect(texts()[own]).toBe('theirs');
  const late = deferred();
  Object.assign(server, { opens: late.promise, draft: 'theirs, the last one' });
  const followed = session.follow();
  const taken = session.takeOver();
  await vi.advanceTimersByTimeAsync(0);
  expect(session.isElsewhere).toBe(true);
  const followedLast = session.follow();
  late.resolve();
  await Promise.all([followed, taken]);
  expect(session.isElsewhere).toBe(false);
  expect(texts()[own]).toBe('theirs, the last one');
  editor.type('; mine');
  server.isEditor = true;
  await followedLast;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(texts()[own]).toBe('theirs, the last one; mine');
});
