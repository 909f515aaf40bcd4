// Answers to shared calls in `rowbench.db`: each execution of a run gets those of the others.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../src-main/executor/ports.ts';
import { shareEqualCalls } from '../../../src-main/executor/upstream/share-equal-calls.ts';
import { storeEqualCalls } from '../../../src-main/executor/upstream/store-equal-calls.ts';
import { StoredAnswers } from '../../../src-main/storage/runs/stored-answers.ts';
import { changeDatabase } from '../../builders/durability/stored-database.ts';
import { queryDatabase } from '../../builders/query-database.ts';
import { openStores } from '../../builders/run-stores.ts';
import { answered, jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { linesOf, rowLine, runIdOf, runOf } from '../../builders/stored-rows.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const clock = systemClock;
const runId = runIdOf(1);
const workflow = 'rowbench: 1';
const request: UpstreamRequest = {
  method: 'GET',
  url: 'https://fx.example/latest',
  headers: [],
  isShared: true,
};
const other: UpstreamRequest = { ...request, url: 'https://fx.example/other' };

const rowAt = (row: number) => ({
  idempotencyKey: `${runId}/${row}/rate`,
  signal: new AbortController().signal,
  origin: { row, site: 'rate', attempt: 1 },
});

/** A folder with one run. Each `begin` is an execution of it, with nothing in memory. */
async function openRun(folder?: string) {
  const dataDir = folder ?? (await temporaryFolder());
  const { runs, snapshots, database, ...stores } = await openStores(dataDir);
  let isOpen = true;
  const closeOnce = async (): Promise<void> => {
    if (isOpen) await stores.close();
    isOpen = false;
  };
  onTestFinished(closeOnce);
  if (folder === undefined) {
    const workflowHash = createHash('sha256').update(workflow).digest('hex');
    await snapshots.put(workflowHash, workflow, 'workflow');
    const run = runOf(1, 2, { workflowHash });
    const writer = await runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, 2)) });
    await writer.commit(run);
  }
  const begin = (answer: Parameters<typeof scriptedUpstream>[0], maxAnswers?: number) => {
    const inner = scriptedUpstream(answer);
    const limit = maxAnswers === undefined ? {} : { maxAnswers };
    const answers = new StoredAnswers({ database, clock, runId, ...limit });
    const stored = storeEqualCalls(inner, answers, clock);
    return { inner, upstream: shareEqualCalls(stored, { runId, clock, isStored: true }) };
  };
  return { dataDir, runs, begin, close: closeOnce };
}

const valueOf = (answer: UpstreamAnswer): unknown =>
  answer.kind === 'failed' ? answer.message : JSON.parse(Buffer.from(answer.body).toString());
const byOf = (answer: UpstreamAnswer): unknown => answer.kind === 'answered' && answer.by;
const sharedOf = (answer: UpstreamAnswer): unknown => answer.kind === 'answered' && answer.shared;

describe('an execution of a run', () => {
  it('gets the answers of the one before, and the row that made a call has it as its own', async () => {
    const { begin } = await openRun();
    const first = begin(() =>
      jsonAnswer({ rate: 1 }, { headers: [['etag', 'ü']], url: 'https://fx.example/final', retryAfterMs: 5 }),
    );
    const made = await first.upstream.call(request, rowAt(2));
    const again = begin(() => jsonAnswer({ rate: 2 }));
    const answers = [];
    for (const row of [1, 2, 3]) answers.push(await again.upstream.call(request, rowAt(row)));
    expect(again.inner.requests).toEqual([]);
    expect(answers.map(byOf)).toEqual(['share', undefined, 'share']);
    const seen = (answer: UpstreamAnswer) => ({ ...answer, body: valueOf(answer), by: 0 });
    expect(answers.map(seen)).toEqual(Array(3).fill(seen(made)));
  });

  it('makes a call again whose answer a node refuses, and all get the new version', async () => {
    const { begin } = await openRun();
    await begin(() => jsonAnswer('bad')).upstream.call(request, rowAt(1));
    const { inner, upstream } = begin(() => jsonAnswer('good'));
    expect(sharedOf(await upstream.call(request, rowAt(2)))).toMatchObject({ version: 1 });
    const good = await upstream.call({ ...request, refuses: 1 }, rowAt(2));
    expect([valueOf(good), sharedOf(good)]).toEqual(['good', expect.objectContaining({ version: 2 })]);
    expect(inner.requests).toHaveLength(1);
    const third = begin(() => jsonAnswer('never'));
    expect(valueOf(await third.upstream.call({ ...request, refuses: 1 }, rowAt(3)))).toBe('good');
  });

  it('that ends between two answers stores those that are no failures', async () => {
    const { begin } = await openRun();
    const first = begin(({ url }) => jsonAnswer(1, { status: url.endsWith('other') ? 503 : 200 }));
    await first.upstream.call(request, rowAt(1));
    await first.upstream.call(other, rowAt(1));
    const again = begin(() => jsonAnswer(2));
    expect(valueOf(await again.upstream.call(request, rowAt(1)))).toBe(1);
    expect(valueOf(await again.upstream.call(other, rowAt(1)))).toBe(2);
    expect(again.inner.keys).toEqual([first.inner.keys[1]]);
  });

  it('makes a call of its own for a node that does not expect the stored status', async () => {
    const { begin } = await openRun();
    const expecting: UpstreamRequest = { ...request, expect: [404] };
    await begin(() => jsonAnswer('none', { status: 404 })).upstream.call(expecting, rowAt(1));
    const again = begin(() => jsonAnswer('still none', { status: 404 }));
    expect(valueOf(await again.upstream.call(request, rowAt(2)))).toBe('still none');
    expect(valueOf(await again.upstream.call(expecting, rowAt(3)))).toBe('none');
    expect(again.inner.requests).toHaveLength(1);
  });

  it('beside another one gets the answer that was stored first', async () => {
    const { begin } = await openRun();
    const one = begin(async () => {
      // Another execution makes the same call meanwhile.
      await begin(() => jsonAnswer('first')).upstream.call(request, rowAt(1));
      return jsonAnswer('second');
    });
    expect(valueOf(await one.upstream.call(request, rowAt(2)))).toBe('first');
    expect(valueOf(await begin(() => jsonAnswer(3)).upstream.call(request, rowAt(3)))).toBe('first');
  });

  it('refuses a call beyond the maximum of answers, and gives the stored ones', async () => {
    const { begin } = await openRun();
    const { inner, upstream } = begin(({ url }) => jsonAnswer(url.length, { status: 503 }), 2);
    // Failures have no place among the answers.
    for (const row of [1, 2, 3]) await upstream.call(request, rowAt(row));
    expect(inner.requests).toHaveLength(3);
    const { upstream: good } = begin(() => jsonAnswer('yes'), 2);
    await good.call(request, rowAt(1));
    await good.call(other, rowAt(1));
    const refused = await begin(() => jsonAnswer('no'), 2).upstream.call(
      { ...request, method: 'PUT' },
      rowAt(1),
    );
    expect(refused).toMatchObject({ kind: 'failed', isFinal: true });
    expect(valueOf(refused)).toContain('is not made: a run shares 2 answers at most');
    expect(valueOf(await good.call(other, rowAt(2)))).toBe('yes');
  });

  it('has 8 MB of answers in memory, and reads the others again', async () => {
    const { begin } = await openRun();
    const { inner, upstream } = begin(({ url }) => answered('text/plain', url.slice(-1).repeat(3_000_000)));
    const bodies = [];
    for (const name of ['a', 'b', 'c', 'd', 'a', 'd']) {
      const answer = await upstream.call({ ...request, url: `https://fx.example/${name}` }, rowAt(1));
      bodies.push(answer.kind === 'answered' && Buffer.from(answer.body.subarray(2_999_990)).toString());
    }
    expect(bodies).toEqual(['a', 'b', 'c', 'd', 'a', 'd'].map((name) => name.repeat(10)));
    expect(inner.requests).toHaveLength(4);
  });
});

it('a damaged answer fails the call instead of reaching a row', async () => {
  const { dataDir, begin, close } = await openRun();
  await begin(() => jsonAnswer('right')).upstream.call(request, rowAt(1));
  await close();
  await changeDatabase(join(dataDir, 'rowbench.db'), (database) =>
    database.exec(`update shared_answers set answer = cast(replace(answer, 'right', 'wrong') as blob)`),
  );
  const reopened = await openRun(dataDir);
  const call = reopened.begin(() => jsonAnswer('new')).upstream.call(request, rowAt(2));
  await expect(call).rejects.toMatchObject({ code: 'data_unreadable' });
});

it('answers count as bytes of their run, and no byte of them stays on the disk when it is removed', async () => {
  const { dataDir, runs, begin, close } = await openRun();
  const before = await runs.usedBytes();
  const mark = 'a-text-that-only-the-answer-has';
  const { upstream } = begin(() => answered('text/plain', mark.repeat(40_000)));
  for (const url of [request.url, other.url]) await upstream.call({ ...request, url }, rowAt(1));
  expect((await runs.usedBytes()) - before).toBeGreaterThan(80_000 * mark.length);
  await runs.remove([runId], []);
  await runs.swept();
  await close();
  const [left] = await queryDatabase(dataDir, ['select count(*) as answers from shared_answers']);
  expect(left).toEqual([{ answers: 0 }]);
  expect((await readFile(join(dataDir, 'rowbench.db'))).includes(mark)).toBe(false);
});
