import { describe, expect, it } from 'vitest';
import { readStatus, readTrigger } from '../../../../src-main/domain/hosted/hosted-answers.ts';
import { parseMatch } from '../../../../src-main/domain/hosted/hosted-connection.ts';
import { movesTo } from '../../../../src-main/domain/hosted/hosted-moves.ts';
import { hostedOrigin } from '../../../../src-main/services/runs/hosted/hosted-origin.ts';
import { runStatuses } from '../../../../src-main/domain/run/run-status.ts';

const answer = (status: number, body: unknown = '', more = {}) => ({
  status,
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
});

const accepted = { success: true, data: { workflowId: 'w', runId: 'run_7Qz', status: 'queued' } };

describe('the answer to a POST', () => {
  it('accepts the rows only with an id', () => {
    expect(readTrigger(answer(201, accepted))).toEqual({ kind: 'accepted', runId: 'run_7Qz' });
    expect(readTrigger(answer(200, { ...accepted, more: [1] }))).toEqual({
      kind: 'accepted',
      runId: 'run_7Qz',
    });
    for (const body of ['', '<html>', { success: true, data: {} }, { success: true, data: { runId: '' } }])
      expect(readTrigger(answer(201, body)).kind).toBe('unknown');
    expect(readTrigger(answer(201, { ...accepted, success: false })).kind).toBe('unknown');
  });

  it.each([400, 401, 403, 404, 405, 413, 301, 307, 308])('refuses them with %i', (status) => {
    const read = readTrigger(answer(status, { success: false, error: 'No' }));
    expect(read.kind).toBe('refused');
  });

  it.each([408, 500, 502, 503, 504, 302, 303, 202, 204])(
    'with %i and no id says nothing about them',
    (status) => {
      expect(readTrigger(answer(status, '<h1>Bad</h1>')).kind).toBe('unknown');
    },
  );

  it('asks to wait with 429', () => {
    expect(readTrigger(answer(429, '', { retryAfterMs: 7000 }))).toMatchObject({
      kind: 'notSent',
      waitMs: 7000,
    });
    expect(readTrigger(answer(429))).toMatchObject({ kind: 'notSent', waitMs: 60_000 });
  });

  it('is quoted in messages, with the words of its error', () => {
    expect(readTrigger(answer(403, { success: false, error: 'No access' }))).toMatchObject({
      message: 'answered 403: No access',
    });
    expect(readTrigger(answer(307, '', { location: 'https://other.example/' }))).toMatchObject({
      message: expect.stringContaining('redirect to "https://other.example/"') as string,
    });
    expect(readTrigger(answer(502, `<p>${'x'.repeat(900)}`))).toMatchObject({
      message: expect.stringMatching(/^answered 502 with "<p>x{197}…"$/) as string,
    });
  });
});

describe('the answer about a status', () => {
  it('is read with a null or missing time', () => {
    const data = { status: 'queued', startedAt: null, finishedAt: null };
    expect(readStatus(answer(200, { success: true, data }))).toEqual({ kind: 'status', status: 'queued' });
    expect(readStatus(answer(200, { success: true, data: { status: 'failed', error: 'E' } }))).toEqual({
      kind: 'status',
      status: 'failed',
      error: 'E',
    });
  });

  it('is a problem with an unknown status, page or code', () => {
    for (const one of [
      answer(200, { success: true, data: { status: 'done' } }),
      answer(200, '<html>'),
      answer(404, { success: false, error: 'Workflow run not found' }),
      answer(500),
    ])
      expect(readStatus(one).kind).toBe('problem');
  });
});

describe('the moves to a status of the service', () => {
  it('lead along the status table', () => {
    expect(movesTo('queued', 'completed')).toEqual(['start', 'complete']);
    expect(movesTo('queued', 'failed')).toEqual(['start', 'fail']);
    expect(movesTo('running', 'paused')).toEqual(['pause', 'settle']);
    expect(movesTo('paused', 'running')).toEqual(['resume', 'start']);
    expect(movesTo('paused', 'completed')).toEqual(['resume', 'start', 'complete']);
    expect(movesTo('pausing', 'cancelled')).toEqual(['cancel']);
  });

  it('are none for a status that was left, and from an end', () => {
    expect(movesTo('running', 'queued')).toEqual([]);
    for (const to of runStatuses) expect(movesTo('completed', to)).toEqual([]);
  });
});

describe('the URL of a service', () => {
  it('is an origin with https, or http to this machine', () => {
    expect(hostedOrigin('https://API.example.com/')).toBe('https://api.example.com');
    expect(hostedOrigin('http://127.0.0.1:4000')).toBe('http://127.0.0.1:4000');
    expect(hostedOrigin('http://localhost:4000/')).toBe('http://localhost:4000');
  });

  it.each([
    'http://api.example.com',
    'https://api.example.com/api/v1',
    'https://ada:key@api.example.com',
    'https://api.example.com/?key=1',
    'ftp://api.example.com',
    'api.example.com',
  ])('is not %s', (text) => {
    expect(() => hostedOrigin(text)).toThrow('is no URL of a hosted service');
  });

  it('comes with fields that match outputs to rows', () => {
    expect(parseMatch('output.lead_id=input.id')).toEqual({ output: 'lead_id', input: 'id' });
    expect(parseMatch('id=id')).toBeUndefined();
  });
});
