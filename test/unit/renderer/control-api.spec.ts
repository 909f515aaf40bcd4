import { describe, expect, it } from 'vitest';
import type { LiveMessage } from '../../../src-main/contract/index.ts';
import { createControlApi, openDesktopSession, openSession } from '../../../src-renderer/api/control-api.ts';

type Sent = { readonly path: string; readonly init: RequestInit };

/** A server that gives these answers, one after the other, and notes what it was asked. */
function answering(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const send: typeof fetch = (path, init = {}) => {
    const answer = answers[sent.length];
    sent.push({ path: path as string, init });
    return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer ?? new Error('none'));
  };
  return { sent, send };
}

const json = (value: unknown, status = 200, headers = {}): Response =>
  new Response(JSON.stringify(value), { status, headers });

describe('the page’s control API', () => {
  it('calls with its token in a header and gives the data', async () => {
    const { sent, send } = answering(json({ success: true, data: [] }));
    expect(await createControlApi('t', send).call('key.list', {})).toEqual([]);
    expect(sent[0]).toMatchObject({
      path: '/_rowbench/v1/call/key.list',
      init: { method: 'POST', body: '{}', headers: { 'x-rowbench-token': 't' } },
    });
  });

  it('throws the server’s words and code', async () => {
    const refusal = json({ success: false, error: 'A completed run cannot be paused' }, 409, {
      'x-rowbench-error': 'move_not_allowed',
    });
    const call = createControlApi('t', answering(refusal).send).call('run.pause', { runId: 'x' });
    await expect(call).rejects.toMatchObject({
      code: 'move_not_allowed',
      message: 'A completed run cannot be paused',
    });
  });

  it.each([
    ['a token that is not taken any more', json({}, 401), 'session_ended'],
    ['no server', new TypeError('Failed to fetch'), 'unreachable'],
    ['an answer that is no envelope', new Response('<html>', { status: 502 }), 'unexpected'],
  ])('names %s', async (_, answer, code) => {
    const call = createControlApi('t', answering(answer).send).call('key.list', {});
    await expect(call).rejects.toMatchObject({ code });
  });

  it('changes a code for a session, and tells of a link that was used', async () => {
    const { sent, send } = answering(
      json({ success: true, data: { token: 'secret' } }),
      json({ success: true, data: [] }),
    );
    const api = await openSession('code', send);
    await api.call('key.list', {});
    expect(sent[0]?.init.body).toBe('{"code":"code"}');
    expect(sent[1]?.init.headers).toMatchObject({ 'x-rowbench-token': 'secret' });
    expect(JSON.stringify(api)).not.toContain('secret');
    const used = openSession('code', answering(json({ error: 'This link has been used' }, 401)).send);
    await expect(used).rejects.toMatchObject({ code: 'link_used', message: 'This link has been used' });
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
    await createControlApi('t', send).watch({
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
  const held = (answer: object) => {
    const server = answering(
      json({ success: true, data: { isOpen: true } }),
      json({ success: true, data: [] }),
    );
    const asked: unknown[] = [];
    const ask = async (...call: unknown[]) => {
      asked.push(call);
      return answer as never;
    };
    return { ...server, asked, open: () => openDesktopSession(server.send, ask) };
  };

  it('what the user is asked about goes by the app, everything else to the server', async () => {
    const { sent, asked, open } = held({ data: { id: 'a' } });
    const api = await open();
    expect(await api?.call('workflow.trust', { workflowId: 'a', hash: 'h' })).toEqual({ id: 'a' });
    expect(sent.length).toBe(1);
    expect(asked).toEqual([['workflow.trust', { workflowId: 'a', hash: 'h' }]]);
    expect(await api?.call('key.list', {})).toEqual([]);
    expect(sent[1]?.path).toBe('/_rowbench/v1/call/key.list');
  });

  it('throws what the app answers in place of data', async () => {
    const api = await held({ code: 'declined', message: 'Nothing was changed' }).open();
    const call = api?.call('workflow.trust', { workflowId: 'a', hash: 'h' });
    await expect(call).rejects.toMatchObject({ code: 'declined', message: 'Nothing was changed' });
  });
});
