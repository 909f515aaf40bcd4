import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveMessage } from '../../../../src-main/contract/index.ts';
import { createControlApi, openSession, resumeSession } from '../../../../src-renderer/api/control-api.ts';

type Sent = { readonly path: string; readonly init: RequestInit };

/** A server that gives these answers, one after the other, and records its requests. */
function answering(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const send: typeof fetch = (path, init = {}) => {
    const answer = answers[sent.length];
    sent.push({ path: path as string, init });
    return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer ?? new Error('none'));
  };
  return { sent, send };
}

const access = { folderId: 'f', browserId: 'b', token: 't' };

/** The browser's storage, for one test. */
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

const pairing = (folderId = 'f') =>
  stored.set(`rowbench-pairing-${folderId}`, JSON.stringify({ browserId: 'b', secret: 's' }));
const state = (folderId = 'f') => json({ success: true, data: { isOpen: false, folderId } });
const refused = () => json({ error: 'This browser is signed out' }, 401);

const json = (value: unknown, status = 200, headers = {}): Response =>
  new Response(JSON.stringify(value), { status, headers });

describe('the page’s control API', () => {
  it('calls with its token in a header and gives the data', async () => {
    const { sent, send } = answering(json({ success: true, data: [] }));
    expect(await createControlApi(access, send).call('key.list', {})).toEqual([]);
    expect(sent[0]).toMatchObject({
      path: '/_rowbench/v1/call/key.list',
      init: { method: 'POST', body: '{}', headers: { 'x-rowbench-token': 't' } },
    });
  });

  it('throws the server’s words and code', async () => {
    const refusal = json({ success: false, error: 'A completed run cannot be paused' }, 409, {
      'x-rowbench-error': 'move_not_allowed',
    });
    const call = createControlApi(access, answering(refusal).send).call('run.pause', { runId: 'x' });
    await expect(call).rejects.toMatchObject({
      code: 'move_not_allowed',
      message: 'A completed run cannot be paused',
    });
  });

  it.each([
    ['no server', new TypeError('Failed to fetch'), 'unreachable'],
    ['an answer that is no envelope', new Response('<html>', { status: 502 }), 'unexpected'],
  ])('names %s', async (_, answer, code) => {
    const call = createControlApi(access, answering(answer).send).call('key.list', {});
    await expect(call).rejects.toMatchObject({ code });
  });

  it('pairs the browser by a code, and says of a link that it was used', async () => {
    const data = { token: 'token', secret: 'secret', browserId: 'b', folderId: 'f' };
    const { sent, send } = answering(json({ success: true, data }), json({ success: true, data: [] }));
    const api = await openSession('code', send);
    await api.call('key.list', {});
    expect(sent[0]?.init.body).toBe('{"code":"code"}');
    expect(sent[1]?.init.headers).toMatchObject({ 'x-rowbench-token': 'token' });
    expect(JSON.stringify(api)).not.toMatch(/token|secret/);
    expect([...stored]).toEqual([['rowbench-pairing-f', '{"browserId":"b","secret":"secret"}']]);
    const used = openSession('code', answering(json({ error: 'This link has been used' }, 401)).send);
    await expect(used).rejects.toMatchObject({ code: 'link_used', message: 'This link has been used' });
  });

  it('pairs a browser that stores nothing until its page is reloaded', async () => {
    vi.stubGlobal('localStorage', undefined);
    const data = { token: 'token', secret: 'secret', browserId: 'b', folderId: 'f' };
    const api = await openSession('code', answering(json({ success: true, data })).send);
    expect(api.browserId).toBe('b');
    expect(await resumeSession(answering(state()).send)).toBeUndefined();
  });

  it('resumes the session of a paired browser without a link', async () => {
    pairing();
    const { sent, send } = answering(state(), json({ success: true, data: { token: 'new' } }));
    const api = await resumeSession(send);
    expect(api?.browserId).toBe('b');
    expect(sent[1]).toMatchObject({ path: '/_rowbench/v1/session', init: { body: '{"secret":"s"}' } });
  });

  it('sends no secret to a server that serves another data folder', async () => {
    pairing('other');
    const { sent, send } = answering(state());
    expect(await resumeSession(send)).toBeUndefined();
    expect(sent.length).toBe(1);
    expect(stored.size).toBe(1);
  });

  it('says that a browser was signed out, and forgets its secret', async () => {
    pairing();
    const resumed = resumeSession(answering(state(), refused()).send);
    await expect(resumed).rejects.toMatchObject({
      code: 'signed_out',
      message: 'This browser is signed out',
    });
    expect(stored.size).toBe(0);
  });

  it('gets the token of a restarted server once for all its calls, and sends them again', async () => {
    pairing();
    const renewed = json({ success: true, data: { token: 'new' } });
    const { sent, send } = answering(
      refused(),
      refused(),
      state(),
      renewed,
      json({ success: true, data: 1 }),
      json({ success: true, data: 2 }),
    );
    const api = createControlApi(access, send);
    expect(await Promise.all([api.call('key.list', {}), api.upload('/rows', new Blob(['[]']))])).toEqual([
      1, 2,
    ]);
    expect(sent.map(({ path }) => path.replace('/_rowbench/v1', ''))).toEqual([
      '/call/key.list',
      '/rows',
      '/session',
      '/session',
      '/call/key.list',
      '/rows',
    ]);
    expect(sent[5]?.init.headers).toMatchObject({ 'x-rowbench-token': 'new' });
  });

  it.each([
    ['the browser was signed out', [refused(), state(), refused()]],
    ['the browser has no pairing any more', [refused(), state('unpaired')]],
    ['another data folder is served now', [refused(), state('other')]],
    ['the new token is refused, too', [refused(), state(), json({ data: { token: 'new' } }), refused()]],
  ])('says that the session has ended when %s', async (_, answers) => {
    pairing();
    pairing('other');
    const call = createControlApi(access, answering(...answers).send).call('key.list', {});
    await expect(call).rejects.toMatchObject({ code: 'session_ended' });
  });

  it('reads events that come in any pieces, and hears the quiet ones', async () => {
    const event = { type: 'changes', sequence: 3, changes: [] } as const;
    const text = `: quiet\n\nid: a-3\ndata: ${JSON.stringify(event)}\n\n`;
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { sent, send } = answering(new Response(body));
    const heard: [LiveMessage, string][] = [];
    let signs = 0;
    await createControlApi(access, send).watch({
      after: 'a-2',
      signal: new AbortController().signal,
      onMessage: (...each) => heard.push(each),
      onAlive: () => (signs += 1),
    });
    expect(sent[0]?.init.headers).toEqual({ 'x-rowbench-token': 't', 'last-event-id': 'a-2' });
    expect([heard, signs]).toEqual([[[event, 'a-3']], bytes.length]);
  });
});

describe('in the desktop window', () => {
  const desktop = (answer: object) => {
    const server = answering(
      json({ success: true, data: { isOpen: true } }),
      json({ success: true, data: [] }),
    );
    const requests: unknown[] = [];
    const ask = async (...call: unknown[]) => {
      requests.push(call);
      return answer as never;
    };
    return { ...server, requests, open: () => resumeSession(server.send, ask) };
  };

  it('calls that need consent go through the desktop app, all others to the server', async () => {
    const { sent, requests, open } = desktop({ data: { id: 'a' } });
    const api = await open();
    expect(await api?.call('workflow.trust', { workflowId: 'a', hash: 'h' })).toEqual({ id: 'a' });
    expect(sent.length).toBe(1);
    expect(requests).toEqual([['workflow.trust', { workflowId: 'a', hash: 'h' }]]);
    expect(await api?.call('key.list', {})).toEqual([]);
    expect(sent[1]?.path).toBe('/_rowbench/v1/call/key.list');
  });

  it('throws what the app answers in place of data', async () => {
    const api = await desktop({ code: 'declined', message: 'Nothing was changed' }).open();
    const call = api?.call('workflow.trust', { workflowId: 'a', hash: 'h' });
    await expect(call).rejects.toMatchObject({ code: 'declined', message: 'Nothing was changed' });
  });
});
