import { describe, expect, it, onTestFinished } from 'vitest';
import type { Handlers } from '../../../src-main/contract/index.ts';
import { createControlToken } from '../../../src-main/http/control-api/control-token.ts';
import { callReading } from '../../../src-main/http/control-api/read-call-input.ts';
import { dataUnreadable } from '../../../src-main/domain/store-errors.ts';
import { runNotFound } from '../../../src-main/domain/run-errors.ts';
import { controlApiWith, controlToken as token } from '../../builders/small-control.ts';
import { startSmallServer } from '../../builders/small-server.ts';

const json = { 'content-type': 'application/json' };

type Sent = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

async function startControl(handlers: Partial<Handlers> = {}) {
  const server = await startSmallServer(controlApiWith(handlers));
  onTestFinished(() => server.close());
  /** One call, well-formed and with the token but for what is given. */
  return async (path: string, sent: Sent = {}) => {
    const headers = { ...json, 'x-rowbench-token': token, ...sent.headers };
    const method = sent.method ?? 'POST';
    const body = method === 'GET' ? {} : { body: sent.body ?? '{}' };
    const response = await fetch(`${server.url}/_rowbench/v1${path}`, { method, headers, ...body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

describe('the control API', () => {
  it('answers a call with what the handler gives, in the envelope', async () => {
    const inputs: unknown[] = [];
    const call = await startControl({
      'run.list': async (filter) => {
        inputs.push(filter);
        return [];
      },
    });
    expect(await call('/call/run.list', { body: '{"status":"failed"}' })).toMatchObject({
      status: 200,
      body: { success: true, data: [] },
    });
    expect(inputs).toEqual([{ status: 'failed', limit: 50 }]);
  });

  it('names the code of an error for its own clients', async () => {
    const call = await startControl({
      'run.show': async () => {
        throw runNotFound();
      },
    });
    const answer = await call('/call/run.show', { body: '{"runId":"x"}' });
    expect(answer).toMatchObject({ status: 404, body: { success: false, error: 'Workflow run not found' } });
    expect(answer.headers.get('x-rowbench-error')).toBe('run_not_found');
  });

  it('tells its owner what is wrong with the data folder', async () => {
    const call = await startControl({
      'run.show': async () => {
        throw dataUnreadable('the record of run x in rowbench.db is damaged');
      },
    });
    const answer = await call('/call/run.show', { body: '{"runId":"x"}' });
    expect(answer).toMatchObject({
      status: 500,
      body: {
        success: false,
        error: 'Stored data cannot be read: the record of run x in rowbench.db is damaged',
      },
    });
    expect(answer.headers.get('x-rowbench-error')).toBe('data_unreadable');
  });

  it.each([
    ['no token', { 'x-rowbench-token': '' }],
    ['an API key', { 'x-rowbench-token': '', 'x-service-key': 'rbk_0123456789abcdef' }],
    ['an API key in the place of the token', { 'x-rowbench-token': 'rbk_0123456789abcdef' }],
    ['a token cut short', { 'x-rowbench-token': token.slice(0, -1) }],
    ['a token with something behind it', { 'x-rowbench-token': `${token}0` }],
    ['a token twice', { 'x-rowbench-token': `${token}, ${token}` }],
    ['the token of another start', { 'x-rowbench-token': createControlToken() }],
    ['the token as a bearer', { 'x-rowbench-token': '', authorization: `Bearer ${token}` }],
  ])('refuses %s with 401, whatever is asked', async (_, headers) => {
    const call = await startControl();
    const body = { success: false, error: 'Invalid control token' };
    expect(await call('/call/key.list', { headers })).toMatchObject({ status: 401, body });
    expect(await call('/call/no.such', { headers })).toMatchObject({ status: 401, body });
    expect(await call('/call/key.list', { headers, method: 'GET' })).toMatchObject({ status: 401, body });
  });

  it.each(['/call/no.such', '/call/', '/call/toString', '/call/__proto__', '/call/key.list/x', '/x', ''])(
    'knows no path %s',
    async (path) => {
      const call = await startControl();
      expect(await call(path)).toMatchObject({ status: 404, body: { success: false, error: 'Not found' } });
    },
  );

  it('takes POST alone', async () => {
    const call = await startControl();
    const answer = await call('/call/key.list', { method: 'GET' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['text', 'hello', json, 'it is not JSON'],
    ['nothing', '', json, 'it is not JSON'],
    ['two values', '{}{}', json, 'it is not JSON'],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), json, 'it is not UTF-8'],
    ['another type', '{}', { 'content-type': 'text/plain' }, 'the Content-Type must be application/json'],
    [
      'another charset',
      '{}',
      { 'content-type': 'application/json; charset=utf-16' },
      'the Content-Type must be',
    ],
    ['an encoding', '{}', { ...json, 'content-encoding': 'gzip' }, 'a Content-Encoding is not accepted'],
    ['a list', '[]', json, 'expected object'],
    ['a wrong field', '{"limit":0}', json, '(limit)'],
    ['an unknown field', '{"__proto__":1,"x":2}', json, 'Unrecognized key'],
  ])('refuses %s as input', async (_, body, headers, problem) => {
    const call = await startControl();
    const answer = await call('/call/run.list', { body, headers });
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toMatch(/^Invalid input: /);
    expect((answer.body as { error: string }).error).toContain(problem);
  });

  it('reads no more than its cap', async () => {
    const call = await startControl({ 'key.list': async () => [] });
    const padded = (length: number): string => '{}'.padEnd(length, ' ');
    expect((await call('/call/key.list', { body: padded(callReading.maxBytes) })).status).toBe(200);
    expect((await call('/call/key.list', { body: padded(callReading.maxBytes + 1) })).status).toBe(413);
  });

  // Values of 9 MB kept a server silent for minutes: its schema looked at each of them.
  it.each([
    ['200,001 values', `[${'[],'.repeat(150_000)}1]`, 'it has more than 200,000 values'],
    ['201 levels', `${'['.repeat(201)}${']'.repeat(201)}`, 'it is nested deeper than 200 levels'],
  ])('refuses a call of %s, whatever it is for', async (_, value, problem) => {
    const call = await startControl({ 'author.ask': async () => ({ answers: [] }) });
    const body = (text: string): string =>
      `{"workflowId":"x","editor":"[[,,\\"[","version":1,"questions":[{"name":"edit","input":{"edits":[{"kind":"setValue","path":["a"],"value":${text}}]}}]}`;
    expect(await call('/call/author.ask', { body: body(value) })).toMatchObject({
      status: 400,
      body: { error: `Invalid input: ${problem}` },
    });
    const allowed = `[${'[],'.repeat(90_000)}${'['.repeat(190)}${']'.repeat(190)}]`;
    expect(await call('/call/author.ask', { body: body(allowed) })).toMatchObject({ status: 200 });
  });

  it('refuses what comes from a page', async () => {
    const call = await startControl({ 'key.list': async () => [] });
    expect((await call('/call/key.list', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });
});
