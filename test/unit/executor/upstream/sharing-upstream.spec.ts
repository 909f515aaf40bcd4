// Equal calls of one run are made once. Each row's wait, attempt and end is its own.
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../src-main/base/deferred.ts';
import type { CallContext, UpstreamAnswer, UpstreamRequest } from '../../../../src-main/executor/ports.ts';
import { SharingUpstream } from '../../../../src-main/executor/upstream/sharing-upstream.ts';
import { jsonAnswer, scriptedUpstream } from '../../../builders/scripted-upstream.ts';

const request: UpstreamRequest = { method: 'GET', url: 'https://rates.example/eur', headers: [] };

const around = (row: number, attempt = 1, signal = new AbortController().signal): CallContext => ({
  idempotencyKey: `key ${row}`,
  signal,
  origin: { row, site: 'rate', attempt },
});

type Answer = Parameters<typeof scriptedUpstream>[0];

function sharing(answer: Answer) {
  const inner = scriptedUpstream(answer);
  const upstream = new SharingUpstream(inner, ({ url }) => url);
  return { inner, upstream };
}

const valueOf = (answer: UpstreamAnswer): unknown =>
  answer.kind === 'failed' ? answer.message : JSON.parse(Buffer.from(answer.body).toString());

describe('equal calls of a run', () => {
  it('share one call while it is made, and its answer afterwards', async () => {
    const { inner, upstream } = sharing((_, nth) => jsonAnswer(nth));
    const rows = Array.from({ length: 8 }, (_, row) => upstream.call(request, around(row)));
    const answers = [...(await Promise.all(rows)), await upstream.call(request, around(9))];
    expect(answers.map(valueOf)).toEqual(Array(9).fill(1));
    expect(answers.map((answer) => answer.kind === 'answered' && answer.by)).toEqual([
      undefined,
      ...Array<string>(8).fill('cassette'),
    ]);
    expect(await upstream.call({ ...request, url: 'https://rates.example/usd' }, around(9))).toEqual(
      jsonAnswer(2),
    );
    expect(inner.requests).toHaveLength(2);
  });

  it.each([
    ['an error of the service', jsonAnswer('busy', { status: 503 })],
    ['a status that the node does not expect', jsonAnswer('gone', { status: 404 })],
    ['no answer', { kind: 'failed', message: 'no answer' } as const],
  ])('share the failure of a call, and make the next attempt once: %s', async (_, failure) => {
    const { inner, upstream } = sharing((_request, nth) => (nth < 3 ? failure : jsonAnswer('yes')));
    for (const attempt of [1, 2]) {
      const all = await Promise.all([1, 2, 3].map((row) => upstream.call(request, around(row, attempt))));
      expect(all.map(valueOf)).toEqual(Array(3).fill(valueOf(failure)));
    }
    const last = await Promise.all([1, 2, 3].map((row) => upstream.call(request, around(row, 3))));
    expect(last.map(valueOf)).toEqual(['yes', 'yes', 'yes']);
    // A later row takes the answer, and not the failures before it.
    expect(valueOf(await upstream.call(request, around(4)))).toBe('yes');
    expect(inner.requests).toHaveLength(3);
  });

  it('of a row that failed and of a later row are one call', async () => {
    const answer = deferred<UpstreamAnswer>();
    const { inner, upstream } = sharing((_, nth) =>
      nth === 1 ? jsonAnswer('busy', { status: 503 }) : answer.promise,
    );
    await upstream.call(request, around(1));
    const later = upstream.call(request, around(2));
    const retried = upstream.call(request, around(1, 2));
    answer.resolve(jsonAnswer('yes'));
    expect((await Promise.all([later, retried])).map(valueOf)).toEqual(['yes', 'yes']);
    // A page after a failure is at the place of the same page in other rows.
    const page = { ...request, url: 'https://rates.example/page-2' };
    await upstream.call(page, around(2, 2));
    await upstream.call(page, around(1, 3));
    expect(inner.requests).toHaveLength(3);
  });

  it('share a status that the node expects', async () => {
    const { inner, upstream } = sharing(() => jsonAnswer('none', { status: 404 }));
    const expecting: UpstreamRequest = { ...request, expect: ['4xx'] };
    await upstream.call(expecting, around(1));
    expect(valueOf(await upstream.call(expecting, around(2)))).toBe('none');
    expect(inner.requests).toHaveLength(1);
  });

  it('that poll get each answer in its order', async () => {
    const { inner, upstream } = sharing((_, nth) => jsonAnswer(nth));
    for (const row of [1, 2])
      for (const attempt of [1, 2, 3])
        expect(valueOf(await upstream.call(request, around(row, attempt)))).toBe(attempt);
    expect(inner.requests).toHaveLength(3);
  });

  it('go on when the row that made the call is gone: one that waits makes it', async () => {
    const { inner, upstream } = sharing(async (_, nth, { signal }) => {
      if (nth > 1) return jsonAnswer(nth);
      const aborted = deferred<never>();
      signal.addEventListener('abort', () => aborted.reject(signal.reason as Error));
      return aborted.promise;
    });
    const first = new AbortController();
    const third = new AbortController();
    const calls = [first.signal, undefined, third.signal, undefined].map((signal, row) =>
      upstream.call(request, around(row, 1, signal)),
    );
    const settled = Promise.allSettled(calls);
    third.abort(new Error('row 3 ended'));
    await expect(calls[2]).rejects.toThrow('row 3 ended');
    expect(inner.requests).toHaveLength(1);
    first.abort(new Error('row 1 ended'));
    expect(
      (await settled).map((each) => (each.status === 'fulfilled' ? valueOf(each.value) : 'ended')),
    ).toEqual(['ended', 2, 'ended', 2]);
    expect(inner.requests).toHaveLength(2);
  });

  it('all fail with a fault that keeps an answer from being recorded', async () => {
    const { upstream } = sharing(() => Promise.reject(new Error('the disk is full')));
    const all = await Promise.allSettled([1, 2].map((row) => upstream.call(request, around(row))));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('with another time limit are made apart', async () => {
    const answer = deferred<UpstreamAnswer>();
    const { inner, upstream } = sharing((_, nth) => (nth === 1 ? answer.promise : jsonAnswer('soon')));
    const slow = upstream.call({ ...request, timeoutMs: 60_000 }, around(1));
    expect(valueOf(await upstream.call({ ...request, timeoutMs: 1000 }, around(2)))).toBe('soon');
    answer.resolve(jsonAnswer('late'));
    expect(valueOf(await slow)).toBe('late');
    expect(inner.requests).toHaveLength(2);
  });
});
