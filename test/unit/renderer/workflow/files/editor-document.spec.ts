// How a window sends its texts to the server: few bytes, in any order of answers, and whole where the server has lost them.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Input } from '../../../../../src-main/contract/index.ts';
import { ControlError } from '../../../../../src-renderer/api/control-error.ts';
import { EditorDocument } from '../../../../../src-renderer/state/workflow/files/editor-document.svelte.ts';
import { EditorFile } from '../../../../../src-renderer/state/workflow/files/editor-file.svelte.ts';
import { draftTime, textServer } from './text-server.ts';

/** Maximum characters of a change. */
const maxCharacters = 10_000;
const [own, tests] = ['leads.workflow.yaml', 'leads.tests.yaml'];

function openDocument() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onDisk = { [own]: 'nodes:\n', [tests]: 'tests:\n' };
  const files = Object.entries(onDisk).map(
    ([name, text]) => new EditorFile(name, { text, hash: `hash of ${name}` }),
  );
  /** Answers a question with the texts that it is about. */
  const server = textServer(onDisk, ({ name }, texts) => ({ name, texts }));
  const sent: {
    readonly name: string;
    readonly input: Partial<Input<'author.change'> & Input<'author.ask'>>;
  }[] = [];
  let isReachable = true;
  let changeMs = 0;
  const call = async (name: string, input: never) => {
    sent.push({ name, input });
    if (!isReachable) throw new Error('The server does not answer');
    if (name === 'author.change' && JSON.stringify(input).length > maxCharacters)
      throw new ControlError('body_too_large', 'Input too large');
    if (name === 'author.change' && changeMs > 0)
      await new Promise((resolve) => setTimeout(resolve, changeMs));
    return name === 'author.ask' ? server.ask(input) : (await server.change(input)).view;
  };
  const document = new EditorDocument(
    { call: call as never, workflowId: 'leads', editor: 'editor', files: () => files, canStore: () => true },
    undefined,
  );
  const change = (name: string, text: string): void => files.find((file) => file.name === name)?.change(text);
  const ask = async () => {
    const answer = document.ask('check', {});
    await vi.advanceTimersByTimeAsync(10);
    return answer;
  };
  const changes = () => sent.filter(({ name }) => name === 'author.change').map(({ input }) => input);
  return {
    ...{ document, files, change, ask, sent, changes, server },
    reach: (can: boolean) => void (isReachable = can),
    delayChanges: (ms: number) => void (changeMs = ms),
  };
}

it('a key is one small change, and the questions about it are one request', async () => {
  const { document, change, ask, sent } = openDocument();
  await ask();
  sent.length = 0;
  change(own, 'nodes:\n!');
  const form = document.ask('form', { nodeId: 'a' });
  expect(await ask()).toEqual({ name: 'check', texts: { [own]: 'nodes:\n!', [tests]: 'tests:\n' } });
  expect(await form).toMatchObject({ name: 'form' });
  expect(sent.map(({ name }) => name)).toEqual(['author.change', 'author.ask']);
  expect(sent[0]?.input).toMatchObject({
    files: [{ name: own, baseHash: `hash of ${own}`, changes: [{ from: 7, to: 7, insert: '!' }] }],
    stores: 'soon',
  });
  expect(document.storedAt).toBe(draftTime);
});

it('a question about texts that the server has newer ones of is not answered', async () => {
  const { document, change, ask } = openDocument();
  await ask();
  change(own, 'nodes:\na');
  const early = document.ask('check', {});
  change(own, 'nodes:\nab');
  const late = document.ask('check', {});
  await vi.advanceTimersByTimeAsync(10);
  expect([await early, await late]).toEqual([
    undefined,
    { name: 'check', texts: { [own]: 'nodes:\nab', [tests]: 'tests:\n' } },
  ]);
});

it('a server that has lost the texts gets them whole, and then answers', async () => {
  const { document, change, ask, changes, server } = openDocument();
  change(own, 'nodes:\na');
  await ask();
  server.lose();
  const answer = document.ask('check', {});
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await answer).toMatchObject({ texts: { [own]: 'nodes:\na' } });
  server.lose();
  change(own, 'nodes:\nab');
  const next = document.ask('check', {});
  await vi.advanceTimersByTimeAsync(2_200);
  expect(await next).toMatchObject({ texts: { [own]: 'nodes:\nab' } });
  expect(changes().filter(({ base }) => base === null)).toHaveLength(3);
});

it('texts that are too large are sent once, and again once they are shorter', async () => {
  const { document, change, ask, changes } = openDocument();
  await ask();
  change(own, '!'.repeat(maxCharacters));
  const answer = expect(document.ask('check', {})).rejects.toThrow('Input too large');
  await vi.advanceTimersByTimeAsync(10_000);
  await answer;
  change(own, '!'.repeat(maxCharacters + 1));
  await expect(document.ask('check', {})).rejects.toThrow('Input too large');
  expect(changes()).toHaveLength(2);
  expect(document.problem).toBe('Input too large');
  change(own, 'nodes:\n!');
  expect(await ask()).toMatchObject({ texts: { [own]: 'nodes:\n!' } });
  expect(document.problem).toBeUndefined();
  expect(document.storedAt).toBe(draftTime);
});

it('a draft that could not be stored is stored once the server answers again', async () => {
  const { document, change, reach } = openDocument();
  reach(false);
  change(tests, 'tests:\n- a');
  document.sync();
  await vi.advanceTimersByTimeAsync(10);
  expect(document.problem).toBe('The server does not answer');
  expect(document.storedAt).toBeUndefined();
  reach(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(document.problem).toBeUndefined();
  expect(document.storedAt).toBe(draftTime);
});

it('a file that is as on the disk again is no part of the draft', async () => {
  const { document, change, changes } = openDocument();
  for (const text of ['nodes:\na', 'nodes:\n', 'nodes:\nb']) {
    change(own, text);
    document.sync();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(
    changes()
      .slice(1)
      .map(({ files }) => files),
  ).toEqual([
    [{ name: own, hash: `hash of ${own}`, changes: [{ from: 7, to: 8, insert: '' }] }],
    [{ name: own, baseHash: `hash of ${own}`, changes: [{ from: 7, to: 7, insert: 'b' }] }],
  ]);
});

it('the last change is stored at once when the window closes', async () => {
  const { document, change, changes } = openDocument();
  change(own, 'nodes:\na');
  await document.close();
  expect(changes()).toMatchObject([{ stores: 'now', base: null }]);
});

it('the last change is stored when the window closes, even if the server has lost the texts', async () => {
  const { document, change, ask, server, changes } = openDocument();
  await ask();
  server.lose();
  change(own, 'nodes:\na');
  document.sync();
  const closed = document.close();
  await vi.advanceTimersByTimeAsync(2_100);
  await closed;
  expect(document.storedAt).toBe(draftTime);
  expect(changes().at(-1)).toMatchObject({ base: null, stores: 'now' });
});

it('a draft is stored even if whole texts overtake its change', async () => {
  const { document, change, ask, server } = openDocument();
  await ask();
  server.lose();
  // Both wait for the lost version; the question gives up first, and has the texts brought whole.
  const answer = document.ask('check', {});
  await vi.advanceTimersByTimeAsync(500);
  change(own, 'nodes:\na');
  document.sync();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await answer).toMatchObject({ texts: { [own]: 'nodes:\na' } });
  expect(document.storedAt).toBe(draftTime);
});

it('an unchanged text is sent if the disk has another one', async () => {
  const { files, change, changes, document } = openDocument();
  const sync = async () => {
    document.sync();
    await vi.advanceTimersByTimeAsync(10);
    return changes()
      .at(-1)
      ?.files?.find(({ name }) => name === tests);
  };
  expect(await sync()).toEqual({ name: tests, hash: `hash of ${tests}` });
  change(tests, 'tests:\n- a');
  await sync();
  files[1]?.follow({ text: 'tests:\n- b', hash: 'new hash' });
  change(tests, 'tests:\n');
  expect(await sync()).toMatchObject({ hash: `hash of ${tests}`, changes: [{ insert: '' }] });
});

it('a window that was loaded again waits for its texts where the server still has those from before', async () => {
  const { document, server, delayChanges } = openDocument();
  const window = { workflowId: 'leads', editor: 'editor' };
  await server.change({
    ...window,
    version: 57,
    base: null,
    files: [{ name: own, hash: null, text: 'old' }],
  });
  delayChanges(100);
  const answer = document.ask('check', {});
  await vi.advanceTimersByTimeAsync(200);
  expect(await answer).toMatchObject({ texts: { [own]: 'nodes:\n' } });
});
