// Nodes with `share: run`: equal calls of a run are made once. Each row's time limit, pause and end is its own.
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../src-main/base/deferred.ts';
import { sleep } from '../../../../src-main/base/sleep.ts';
import { systemClock } from '../../../../src-main/base/system-clock.ts';
import { VirtualClock } from '../../../../src-main/base/virtual-clock.ts';
import { workflowMethod } from '../../../../src-main/executor/plan.ts';
import type { CallContext, UpstreamAnswer, UpstreamRequest } from '../../../../src-main/executor/ports.ts';
import { CallPostponed } from '../../../../src-main/executor/upstream/rate-limits.ts';
import { shareEqualCalls, WorkReleased } from '../../../../src-main/executor/upstream/share-equal-calls.ts';
import { quiet } from '../../../builders/run-control/pending.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../../builders/scripted-upstream.ts';

const request: UpstreamRequest = {
  method: 'POST',
  url: 'https://fx.example/latest?a=1&b=2',
  headers: [
    ['accept', 'text/plain'],
    ['x-tenant', 'one'],
  ],
  body: '{"from":"eur","to":"usd"}',
  isShared: true,
};

type Around = Partial<Pick<CallContext, 'signal' | 'pause'>> & { readonly row?: number };

const around = ({ row = 1, ...more }: Around = {}): CallContext => ({
  idempotencyKey: `run-1/${row}/rate`,
  signal: new AbortController().signal,
  origin: { row, site: 'rate', attempt: 1 },
  ...more,
});

function sharing(
  answer: Parameters<typeof scriptedUpstream>[0],
  options: Partial<Parameters<typeof shareEqualCalls>[1]> = {},
) {
  const inner = scriptedUpstream(answer);
  return { inner, upstream: shareEqualCalls(inner, { runId: 'run-1', clock: systemClock, ...options }) };
}

const valueOf = (answer: UpstreamAnswer): unknown =>
  answer.kind === 'failed' ? answer.message : JSON.parse(Buffer.from(answer.body).toString());
const versionOf = (answer: UpstreamAnswer): number | undefined =>
  answer.kind === 'failed' ? undefined : answer.shared?.version;

describe('a shared call', () => {
  it('is made once for all rows, under a key without a row, and says which row made it', async () => {
    const { inner, upstream } = sharing((_, nth) => jsonAnswer(nth));
    const answers = await Promise.all([1, 2, 3].map((row) => upstream.call(request, around({ row }))));
    answers.push(await upstream.call(request, around({ row: 4 })));
    expect(answers.map(valueOf)).toEqual([1, 1, 1, 1]);
    expect(answers.map((answer) => answer.kind === 'answered' && answer.by)).toEqual([
      undefined,
      'share',
      'share',
      'share',
    ]);
    expect(inner.keys).toEqual([expect.stringMatching(/^run-1\/share\/[0-9a-f]{32}$/)]);
  });

  it.each<[string, Partial<UpstreamRequest>, number]>([
    ['another order of the query', { url: 'https://fx.example/latest?b=2&a=1' }, 1],
    [
      'another order of headers and fields',
      { headers: request.headers.toReversed(), body: '{ "to":"usd", "from":"eur"}' },
      1,
    ],
    ['another time limit', { timeoutMs: 5000 }, 1],
    ['another value of a header', { headers: [['accept', 'text/plain']] }, 2],
    [
      'a header of another name',
      {
        headers: [
          ['accept', 'text/plain'],
          ['x-team', 'one'],
        ],
      },
      2,
    ],
    ['another body', { body: '{"from":"eur","to":"gbp"}' }, 2],
    ['other credentials', { auth: { secret: 'FX' } }, 2],
    ['another method', { method: 'PUT' }, 2],
  ])('with %s is equal or not', async (_, change, calls) => {
    const { inner, upstream } = sharing(() => jsonAnswer('yes'));
    await upstream.call(request, around());
    await upstream.call({ ...request, ...change }, around({ row: 2 }));
    expect(inner.requests).toHaveLength(calls);
  });

  it('that fails fails for all who wait, and is made once more for their next attempts', async () => {
    const { inner, upstream } = sharing((_, nth) =>
      nth === 1
        ? jsonAnswer('busy', { status: 503 })
        : nth === 2
          ? { kind: 'failed', message: 'gone' }
          : jsonAnswer('yes'),
    );
    for (const expected of ['busy', 'gone', 'yes', 'yes']) {
      const all = await Promise.all([1, 2, 3].map((row) => upstream.call(request, around({ row }))));
      expect(all.map(valueOf)).toEqual(Array(3).fill(expected));
    }
    expect(inner.requests).toHaveLength(3);
    expect(new Set(inner.keys).size).toBe(1);
  });

  it('keeps an expected status for nodes that expect it, and fails others with it', async () => {
    const { inner, upstream } = sharing(() => jsonAnswer('none', { status: 404 }));
    const expecting: UpstreamRequest = { ...request, expect: [404] };
    await upstream.call(expecting, around());
    expect(valueOf(await upstream.call(expecting, around({ row: 2 })))).toBe('none');
    expect(inner.requests).toHaveLength(1);
    await upstream.call(request, around({ row: 3 }));
    expect(inner.requests).toHaveLength(2);
  });

  it('whose answer two rows refuse is made once more', async () => {
    const { inner, upstream } = sharing((_, nth) => jsonAnswer(nth));
    const [first, second] = await Promise.all([1, 2].map((row) => upstream.call(request, around({ row }))));
    for (const [row, refused] of [first, second].entries()) {
      if (refused === undefined) throw new Error('an answer is missing');
      const refuses = versionOf(refused);
      if (refuses === undefined) throw new Error('a version is missing');
      expect(valueOf(await upstream.call({ ...request, refuses }, around({ row })))).toBe(2);
    }
    expect(inner.requests).toHaveLength(2);
  });

  it('goes on while a row waits, and ends with the last of them', async () => {
    const answer = deferred<UpstreamAnswer>();
    const signals: AbortSignal[] = [];
    const { inner, upstream } = sharing((_request, _nth, { signal }) => {
      signals.push(signal);
      return answer.promise;
    });
    const ends = [new AbortController(), new AbortController()];
    const rows = ends.map(({ signal }, row) => upstream.call(request, around({ row, signal })));
    const settled = Promise.allSettled(rows);
    ends[0]?.abort(new Error('row 1 failed'));
    await expect(rows[0]).rejects.toThrow('row 1 failed');
    expect(signals[0]?.aborted).toBe(false);
    ends[1]?.abort(new Error('cancelled'));
    await settled;
    expect(signals[0]?.aborted).toBe(true);
    answer.resolve(jsonAnswer('late'));
    // A later row makes a call of its own.
    expect(valueOf(await upstream.call(request, around({ row: 3 })))).toBe('late');
    expect(inner.requests).toHaveLength(2);
  });

  it('fails each row at its own time limit', async () => {
    const clock = new VirtualClock(0);
    const answer = deferred<UpstreamAnswer>();
    const { inner, upstream } = sharing(() => answer.promise, { clock });
    const short = upstream.call({ ...request, timeoutMs: 1000 }, around());
    const long = upstream.call({ ...request, timeoutMs: 60_000 }, around({ row: 2 }));
    await Promise.resolve();
    clock.skip();
    expect(valueOf(await short)).toBe('POST https://fx.example/latest?a=…&b=… timed out after 1 s');
    answer.resolve(jsonAnswer('late'));
    expect(valueOf(await long)).toBe('late');
    expect(inner.requests).toHaveLength(1);
  });

  it('is finished in a pause, which sends rows back that wait', async () => {
    const answer = deferred<UpstreamAnswer>();
    const { inner, upstream } = sharing(() => answer.promise);
    const pause = new AbortController();
    const maker = upstream.call(request, around({ pause: pause.signal }));
    const waiting = [2, 3].map((row) => upstream.call(request, around({ row, pause: pause.signal })));
    pause.abort();
    for (const row of waiting) await expect(row).rejects.toBeInstanceOf(CallPostponed);
    answer.resolve(jsonAnswer('yes'));
    expect(valueOf(await maker)).toBe('yes');
    expect(valueOf(await upstream.call(request, around({ row: 2 })))).toBe('yes');
    expect(inner.requests).toHaveLength(1);
  });

  it('that a pause keeps from beginning is made after it', async () => {
    const { inner, upstream } = sharing((_, nth) => {
      if (nth === 1) throw new CallPostponed();
      return jsonAnswer(nth);
    });
    await expect(upstream.call(request, around())).rejects.toBeInstanceOf(CallPostponed);
    expect(versionOf(await upstream.call(request, around()))).toBe(1);
    expect(inner.requests).toHaveLength(2);
  });

  it('that fails with a fault of the server fails all rows with it', async () => {
    const { upstream } = sharing(() => Promise.reject(new Error('the disk is full')));
    const all = await Promise.allSettled([1, 2].map((row) => upstream.call(request, around({ row }))));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a shared workflow', () => {
  const workflow: UpstreamRequest = {
    method: workflowMethod,
    url: 'inner',
    headers: [],
    body: '{}',
    isShared: true,
  };

  it('that one row after the other does not end gives each row its own time limit alone', async () => {
    const clock = new VirtualClock(0);
    const { upstream } = sharing(() => jsonAnswer('none'), { clock });
    const claims: { readonly waitedMs: number | undefined; readonly at: number; readonly end: () => void }[] =
      [];
    const waitUntil = async (ms: number): Promise<void> => {
      await quiet();
      const reached = sleep(clock, ms - clock.monotonic(), new AbortController().signal);
      while (clock.monotonic() < ms) clock.skip();
      await reached;
      await quiet();
    };
    const rowOf = (row: number, timeoutMs: number): Promise<UpstreamAnswer> => {
      const aborter = new AbortController();
      const runInWorker: CallContext['runInWorker'] = async ({ waitedMs }) => {
        const released = deferred();
        const end = (): void => {
          aborter.abort(new Error(`row ${row} is out of time`));
          released.resolve();
        };
        claims.push({ waitedMs, at: clock.monotonic(), end });
        await released.promise;
        throw new WorkReleased();
      };
      const context = { ...around({ row, signal: aborter.signal }), runInWorker };
      return upstream.call({ ...workflow, timeoutMs }, context);
    };
    const first = rowOf(1, 20_000);
    const [second, third] = [rowOf(2, 60_000), rowOf(3, 30_000)];
    const outOfTime = [first, second].map((row) => expect(row).rejects.toThrow('is out of time'));
    await waitUntil(20_000);
    claims[0]?.end();
    await waitUntil(29_000);
    const fourth = rowOf(4, 30_000);
    await waitUntil(30_000);
    expect(await Promise.race([third, Promise.resolve('waits')])).toEqual({
      kind: 'failed',
      message: 'timed out after 30 s',
    });
    expect(await Promise.race([fourth, Promise.resolve('waits')])).toBe('waits');
    await waitUntil(59_000);
    claims[1]?.end();
    await Promise.all(outOfTime);
    expect(valueOf(await fourth)).toBe('timed out after 30 s');
    expect(claims.map(({ waitedMs, at }) => [waitedMs, at])).toEqual([
      [0, 0],
      [20_000, 20_000],
    ]);
  });

  it('runs once for all rows of a recording, with outputs larger than the memory for stored answers', async () => {
    const { upstream } = sharing(() => jsonAnswer('none'), { isStored: true });
    let runs = 0;
    const runInWorker: CallContext['runInWorker'] = async () => {
      runs += 1;
      return answered('application/json', new Uint8Array(5e6));
    };
    for (const row of [1, 2, 3, 4])
      await upstream.call({ ...workflow, body: `${row % 2}` }, { ...around({ row }), runInWorker });
    expect(runs).toBe(2);
  });
});

it('calls of other nodes are not shared', async () => {
  const { inner, upstream } = sharing((_, nth) => jsonAnswer(nth));
  const { isShared: _, ...own } = request;
  await Promise.all([upstream.call(own, around()), upstream.call(own, around({ row: 2 }))]);
  expect(inner.keys).toEqual(['run-1/1/rate', 'run-1/2/rate']);
});
