import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { emptyCassette, type Cassette } from '../../../src-main/domain/cassette/cassette.ts';
import { Recording } from '../../../src-main/domain/cassette/recording.ts';
import { RecordingUpstream } from '../../../src-main/executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../../../src-main/executor/upstream/cassette/replaying-upstream.ts';
import type {
  CallContext,
  CassetteRecorder,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../../src-main/executor/ports.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';

const request: UpstreamRequest = {
  method: 'GET',
  url: 'https://api.example.com/companies?name=acme',
  headers: [],
  timeoutMs: 1000,
};

const around = (origin: Partial<CallContext['origin']> = {}): CallContext => ({
  idempotencyKey: 'key',
  signal: new AbortController().signal,
  origin: { row: 1, site: 'company', attempt: 1, ...origin },
});

function memoryRecorder(keepHeaders: readonly string[] = []) {
  const recording = new Recording({ ...emptyCassette, keepHeaders: [...keepHeaders] });
  const recorder: CassetteRecorder = {
    matchHeaders: recording.matchHeaders,
    keepHeaders,
    add: async (call) => void recording.take(call),
    close: async () => undefined,
  };
  return { recorder, cassette: (): Cassette => recording.cassette() };
}

/** Records an answer and plays it; returns the answers that the rows got, and the cassette. */
async function recordAndPlay(answer: UpstreamAnswer, keepHeaders: readonly string[] = []) {
  const { recorder, cassette } = memoryRecorder(keepHeaders);
  const live = scriptedUpstream(() => answer);
  const parts = { live, recorder, runId: 'run-1', clock: systemClock };
  const recorded = await new RecordingUpstream(parts).call(request, around());
  const played = await new ReplayingUpstream(cassette(), 'x.json').call(request, around({ row: 7 }));
  return { recorded, played, cassette: cassette() };
}

const readable = (answer: UpstreamAnswer) =>
  answer.kind === 'failed' ? answer : { ...answer, body: Buffer.from(answer.body).toString('latin1') };

describe('a recorded answer', () => {
  it('is played as it was got, whatever its bytes', async () => {
    const body = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.uint8Array(),
      fc
        .constantFrom('-0', '1e400', '{"__proto__":1}', '\ufeff{}', ' {} ', '')
        .map((text) => Buffer.from(text)),
    );
    const type = fc.constantFrom('application/json; charset=utf-8', 'application/problem+json', 'text/plain');
    const status = fc.integer({ min: 100, max: 599 });
    await fc.assert(
      fc.asyncProperty(body, type, status, async (bytes, contentType, code) => {
        const answer = answered(contentType, bytes, {
          status: code,
          retryAfterMs: 1000,
          url: 'https://a.example',
        });
        const { recorded, played } = await recordAndPlay(answer);
        const [one, other] = [readable(recorded), readable(played)];
        expect(other).toEqual({ ...one, by: 'cassette', body: 'body' in other ? other.body : undefined });
        // JSON is kept by value: the spaces between its parts are not.
        if ('body' in one && 'body' in other && one.body !== other.body)
          expect(JSON.parse(other.body)).toEqual(JSON.parse(one.body));
      }),
    );
  });

  it('keeps the headers that workflows go by, and those that the cassette names', async () => {
    const answer = jsonAnswer(
      {},
      {
        headers: [
          ['set-cookie', 'session=1'],
          ['date', 'today'],
          ['location', '/x'],
          ['x-request-cost', '3'],
        ],
      },
    );
    const { recorded, played, cassette } = await recordAndPlay(answer, ['x-request-cost', 'set-cookie']);
    expect(cassette.entries[0]?.responses[0]).toMatchObject({
      headers: { 'content-type': 'application/json', location: '/x', 'x-request-cost': '3' },
    });
    expect(JSON.stringify(cassette)).not.toContain('session');
    expect(readable(played)).toEqual({ ...readable(recorded), by: 'cassette' });
  });
});

describe('a call that came to nothing', () => {
  it('is not recorded: the retry that was answered stands in its place', async () => {
    const { recorder, cassette } = memoryRecorder();
    const live = scriptedUpstream((_, nth) =>
      nth === 1 ? { kind: 'failed', message: 'no answer' } : jsonAnswer('yes'),
    );
    const upstream = new RecordingUpstream({ live, recorder, runId: 'run-1', clock: systemClock });
    expect(await upstream.call(request, around())).toEqual({ kind: 'failed', message: 'no answer' });
    await upstream.call(request, around({ attempt: 2 }));
    const played = await new ReplayingUpstream(cassette(), 'x.json').call(request, around());
    expect(played).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('can be written into a cassette by hand', async () => {
    const entry = { request: { method: 'GET', url: request.url }, responses: [{ failed: 'no answer' }] };
    const upstream = new ReplayingUpstream({ ...emptyCassette, entries: [entry] }, 'x.json');
    expect(await upstream.call(request, around())).toEqual({ kind: 'failed', message: 'no answer' });
  });
});

describe('what is recorded of a secret', () => {
  it('is nothing: neither its name nor the header that carries it', async () => {
    const { recorder, cassette } = memoryRecorder();
    const live = scriptedUpstream(() => jsonAnswer({}));
    const upstream = new RecordingUpstream({ live, recorder, runId: 'run-1', clock: systemClock });
    await upstream.call({ ...request, auth: { secret: 'TOKEN', header: 'x-key' } }, around());
    expect(live.requests[0]?.auth).toEqual({ secret: 'TOKEN', header: 'x-key' });
    expect(JSON.stringify(cassette())).not.toMatch(/TOKEN|x-key/);
  });
});

describe('a replay', () => {
  it('names the call that was not recorded, and what is nearest to it', async () => {
    const { cassette } = await recordAndPlay(jsonAnswer({}));
    const other = { ...request, url: 'https://api.example.com/companies?name=bolt' };
    expect(await new ReplayingUpstream(cassette, 'x.json').call(other, around())).toEqual({
      kind: 'failed',
      message:
        'no recorded answer to GET https://api.example.com/companies?name=… in x.json: the nearest, GET https://api.example.com/companies?name=…, differs in the query (name)',
      isFinal: true,
    });
  });

  it('rejects for a row that is gone', async () => {
    const upstream = new ReplayingUpstream(emptyCassette, 'x.json');
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(upstream.call(request, { ...around(), signal })).rejects.toThrow('gone');
  });
});

describe('the end of a recording', () => {
  it('closes the cassette and what was called, even if one of them cannot', async () => {
    const closed: string[] = [];
    const { recorder } = memoryRecorder();
    const live = {
      ...scriptedUpstream(() => jsonAnswer({})),
      close: () => Promise.reject(new Error('still open')),
    };
    const upstream = new RecordingUpstream({
      live,
      recorder: { ...recorder, close: async () => void closed.push('cassette') },
      runId: 'run-1',
      clock: systemClock,
    });
    await expect(upstream.close()).rejects.toThrow('still open');
    expect(closed).toEqual(['cassette']);
  });
});
