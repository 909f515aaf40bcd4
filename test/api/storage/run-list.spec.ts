// The ports of stored runs: records, lists of them, removal, and the state that the next process finds.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { RunStore } from '../../../src-main/storage/runs/run-store.ts';
import type { RunQuery } from '../../../src-main/domain/run/stored-run.ts';
import { backends, storesOfTests, type Backend, type BackendStores } from '../../builders/store-backends.ts';
import {
  linesOf,
  outputLine,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
  textOf,
} from '../../builders/stored-rows.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const workflow = 'rowbench: 1';
const workflowHash = hashOf(workflow);
const day = 24 * 60 * 60 * 1000;
const counts = { rowsDone: 8, rowsFailed: 2 };

type EndedRun = Extract<Run, { status: 'completed' | 'cancelled' }>;

const completed = (n: number, overrides: Parameters<typeof runOf>[2] = {}, endedMs = day): EndedRun => ({
  ...runOf(n, 10, { workflowHash, ...overrides }),
  status: 'completed',
  finishedAt: new Date(endedMs).toISOString(),
  retentionStamp: endedMs,
  counts,
});

describe.each(backends)('runs in %s', (_, create) => {
  const { createBackend, openStore: openEmptyStore } = storesOfTests(create);

  async function openStore(backend?: Backend): Promise<BackendStores> {
    const stores = await openEmptyStore(backend);
    await stores.snapshots.put(workflowHash, workflow, 'workflow');
    return stores;
  }

  async function accept(runs: RunStore, run: Run, rows = linesOf(rowLine, 1, run.rows)): Promise<void> {
    const writer = await runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(rows) });
    await writer.commit(run);
  }

  const idsOf = async (runs: RunStore, query: RunQuery): Promise<string[]> =>
    (await runs.list(query)).map(({ run }) => run.runId);

  it('a record is the last one saved when many are saved at once', async () => {
    const { runs } = await openStore();
    await accept(runs, runOf(1, 1, { workflowHash }));
    await Promise.all(
      Array.from({ length: 20 }, (__, n) => runs.save(runOf(1, 1, { workflowHash, fruitlessRecoveries: n }))),
    );
    expect((await runs.find(runIdOf(1)))?.run.fruitlessRecoveries).toBe(19);
  });

  it('a record has how the file of its rows was read', async () => {
    const { runs } = await openStore();
    const readAs = {
      file: 'orders.csv',
      options: { delimiter: ';', header: '3', strict: true },
      text: 'ü; €',
    };
    await accept(runs, runOf(1, 1, { workflowHash, readAs }));
    expect((await runs.find(runIdOf(1)))?.run.readAs).toEqual(readAs);
  });

  it('a record without a run is refused', async () => {
    const { runs, isDegraded } = await openStore();
    await expect(runs.save(runOf(1, 1, { workflowHash }))).rejects.toMatchObject({ code: 'run_not_found' });
    for (const id of ['', 'x', '../x', `${runIdOf(1)}'--`]) {
      expect(await runs.find(id)).toBeUndefined();
      await expect(runs.readCounts(id)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(textOf(runs.readOutputs(id))).rejects.toMatchObject({ code: 'run_not_found' });
    }
    expect(isDegraded()).toBe(false);
  });

  it('runs are listed newest first, by every filter, page by page', async () => {
    const { runs } = await openStore();
    const at = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();
    const key = { kind: 'key', keyId: 'k', keyName: 'Nightly Import' } as const;
    const stored: Run[] = [
      completed(1, { acceptedAt: at(1), workflowId: 'one' }),
      runOf(2, 10, { acceptedAt: at(2), workflowId: 'one', status: 'paused', workflowHash }),
      {
        ...completed(3, { acceptedAt: at(3), workflowId: 'two', rerunOf: runIdOf(1) }),
        status: 'failed',
        error: 'Node "überprüfen" failed: 100 % of "rows"',
      },
      completed(4, { acceptedAt: at(4), workflowId: 'two', rerunOf: runIdOf(1), origin: key }),
      runOf(5, 10, { acceptedAt: at(5), workflowId: 'three', workflowHash }),
    ];
    // Accepted in another order than that of their ids.
    for (const index of [2, 0, 4, 1, 3]) await accept(runs, stored[index] ?? runOf(9, 0));
    const list = async (query: RunQuery) => (await idsOf(runs, query)).map((id) => Number(id.slice(-2)));
    expect(await runs.list({ runIds: [runIdOf(4)] })).toMatchObject([{ run: stored[3] }]);
    expect(await list({})).toEqual([5, 4, 3, 2, 1]);
    expect(await list({ limit: 2 })).toEqual([5, 4]);
    expect(await list({ limit: 0 })).toEqual([]);
    expect(await list({ before: runIdOf(4), limit: 2 })).toEqual([3, 2]);
    expect(await list({ before: runIdOf(1) })).toEqual([]);
    expect(await list({ status: 'completed' })).toEqual([4, 1]);
    expect(await list({ status: 'paused' })).toEqual([2]);
    expect(await list({ workflowId: 'two', limit: 1 })).toEqual([4]);
    expect(await list({ workflowId: 'none' })).toEqual([]);
    expect(await list({ since: at(3) })).toEqual([5, 4, 3]);
    expect(await list({ until: at(3) })).toEqual([2, 1]);
    expect(await list({ since: '2026-01-02T01:00:00+01:00', until: '2026-01-03T00:00:00Z' })).toEqual([2]);
    expect(await list({ rerunOf: runIdOf(1) })).toEqual([4, 3]);
    expect(await list({ runIds: [runIdOf(1), runIdOf(5), 'x'] })).toEqual([5, 1]);
    expect(await list({ runIds: [] })).toEqual([]);
    expect(await list({ text: 'THREE' })).toEqual([5]);
    expect(await list({ text: 'nightly imp' })).toEqual([4]);
    expect(await list({ text: 'ÜBERPRÜFEN" failed' })).toEqual([3]);
    expect(await list({ text: '100 % of "rows"' })).toEqual([3]);
    expect(await list({ text: '100 _' })).toEqual([]);
    expect(await list({ text: runIdOf(2).slice(-5) })).toEqual([2]);
    expect(await list({ text: 'completed' })).toEqual([]);
    expect(await list({ text: 'o', status: 'completed', rerunOf: runIdOf(1), before: runIdOf(5) })).toEqual([
      4,
    ]);
    expect([await runs.hasRunOf('one'), await runs.hasRunOf('none')]).toEqual([true, false]);
    expect(await runs.rerunsOf(runIdOf(1), 10)).toEqual([runIdOf(4), runIdOf(3)]);
    expect(await runs.rerunsOf(runIdOf(1), 1)).toEqual([runIdOf(4)]);
    expect(await runs.rerunsOf(runIdOf(2), 10)).toEqual([]);
  });

  it('an id is found by its beginning or its end', async () => {
    const { runs } = await openStore();
    const ids = ['aaaa1111-0000-7000-8000-00000000beef', 'aaaa2222-0000-7000-8000-0000aaaa1111'];
    for (const runId of ids) await accept(runs, runOf(1, 0, { runId, workflowHash }));
    expect(await runs.resolveId('AAAA2')).toBe(ids[1]);
    expect(await runs.resolveId('beef')).toBe(ids[0]);
    expect(await runs.resolveId(ids[0] ?? '')).toBe(ids[0]);
    // Whether there is such a run is looked for later.
    expect(await runs.resolveId(runIdOf(7))).toBe(runIdOf(7));
    await expect(runs.resolveId('aaaa')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(runs.resolveId('aaaa1111')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(runs.resolveId('eef')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(runs.resolveId('cafe')).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(runs.resolveId('%___')).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it('unfinished runs are listed in the order of acceptance', async () => {
    const { runs } = await openStore();
    for (const [n, status] of [
      [1, 'paused'],
      [3, 'running'],
      [4, 'queued'],
      [5, 'pausing'],
    ] as const)
      await accept(runs, runOf(n, 10, { status, workflowHash }));
    await accept(runs, completed(2));
    const results = await runs.openResults(runIdOf(3), true);
    await results.commit(resultsOf(1, 4));
    expect(await runs.listUnfinished()).toMatchObject([
      { run: { runId: runIdOf(1), status: 'paused' } },
      { run: { runId: runIdOf(3), status: 'running' }, counts: { rowsDone: 4, rowsFailed: 0 } },
      { run: { runId: runIdOf(4) } },
      { run: { runId: runIdOf(5) } },
    ]);
    await runs.save(completed(3));
    expect(await runs.listUnfinished()).toHaveLength(3);
  });

  it('removed runs are gone with rows and results, others keep theirs', async () => {
    const { runs } = await openStore();
    const before = await runs.usedBytes();
    for (const n of [1, 2, 3]) {
      await accept(runs, runOf(n, 5000, { workflowHash }));
      const results = await runs.openResults(runIdOf(n), true);
      for (const last of [1000, 5000]) await results.commit(resultsOf(results.committedRows + 1, last));
    }
    await runs.remove([runIdOf(1), runIdOf(3), runIdOf(9)], []);
    await runs.remove([runIdOf(1)], []);
    expect(await idsOf(runs, {})).toEqual([runIdOf(2)]);
    expect(await runs.find(runIdOf(1))).toBeUndefined();
    await expect(textOf(runs.readRows(runIdOf(1)))).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(runs.openResults(runIdOf(1), false)).rejects.toMatchObject({ code: 'run_not_found' });
    expect(await textOf(runs.readRows(runIdOf(2)))).toBe(linesOf(rowLine, 1, 5000));
    expect(await textOf(runs.readOutputs(runIdOf(2), 5000))).toBe(linesOf(outputLine, 1, 5000));
    await runs.remove([runIdOf(2)], []);
    await expect.poll(() => runs.usedBytes()).toBeLessThan(before + 50_000);
  });

  it('a run that is accepted after a removal never meets the rows of the removed one', async () => {
    const backend = await createBackend();
    const first = await openStore(backend);
    await accept(first.runs, runOf(1, 3000, { workflowHash }));
    const results = await first.runs.openResults(runIdOf(1), true);
    await results.commit(resultsOf(1, 3000));
    await first.runs.remove([runIdOf(1)], [workflowHash]);
    await first.close();
    const { runs } = await openStore(backend);
    await accept(runs, runOf(2, 10, { workflowHash }));
    expect(await textOf(runs.readRows(runIdOf(2)))).toBe(linesOf(rowLine, 1, 10));
    expect(await textOf(runs.readOutputs(runIdOf(2)))).toBe('');
  });

  describe('texts of workflows and tables', () => {
    const text = '\ufeffname: Grüße 🎉\r\n';
    const hash = hashOf(text);

    it('a text comes back as it was put, and is undefined if it never was', async () => {
      const { snapshots } = await openStore();
      expect(await snapshots.get(hash)).toBeUndefined();
      await snapshots.put(hash, text, 'table');
      await snapshots.put(hash, text, 'table');
      expect(await snapshots.get(hash)).toBe(text);
      await expect(snapshots.put(hashOf('other'), text, 'workflow')).rejects.toThrow('its own hash');
    });

    it('a text stays while a run needs it, and goes with the last one', async () => {
      const { runs, snapshots } = await openStore();
      await snapshots.put(hash, text, 'table');
      const sources = [{ workflowId: 'w', table: 't.csv', hash }];
      await accept(runs, completed(1, { sources }));
      await accept(runs, completed(2, { sources }));
      await runs.remove([runIdOf(1)], []);
      expect([await snapshots.get(hash), await snapshots.get(workflowHash)]).toEqual([text, workflow]);
      await runs.remove([runIdOf(2)], []);
      expect([await snapshots.get(hash), await snapshots.get(workflowHash)]).toEqual([undefined, undefined]);
    });

    it('a text that an arriving run needs stays although no other run does', async () => {
      const { runs, snapshots } = await openStore();
      await snapshots.put(hash, text, 'workflow');
      await accept(runs, completed(1, { workflowHash: hash }));
      await snapshots.put(hash, text, 'workflow');
      const writer = await runs.openRunWriter();
      await runs.remove([runIdOf(1)], [hash]);
      await writer.commit(runOf(2, 0, { workflowHash: hash }));
      expect(await snapshots.get(hash)).toBe(text);
    });

    it('a text that is put while the last run of it is removed is there for the next one', async () => {
      const { runs, snapshots } = await openStore();
      for (let n = 1; n <= 20; n += 1) {
        await snapshots.put(hash, text, 'workflow');
        await accept(runs, runOf(n, 0, { workflowHash: hash }));
        const removed = runs.remove([runIdOf(n)], []);
        const put = snapshots.put(hash, text, 'workflow');
        await Promise.all([removed, put]);
        expect(await snapshots.get(hash)).toBe(text);
      }
    });
  });

  describe('bounds of retention', () => {
    const noBound = Number.MAX_SAFE_INTEGER;
    const lines = `{"text":"${'x'.repeat(99_988)}"}\n`.repeat(10);

    /** Runs with rows of a megabyte that ended after as many days as they are numbered. */
    async function storeOf(...days: readonly number[]): Promise<RunStore> {
      const { runs } = await openStore();
      for (const n of days) await accept(runs, completed(n, {}, n * day), lines);
      return runs;
    }

    it('runs that ended before a time are past the age, by the retention clock alone', async () => {
      const runs = await storeOf(2, 3);
      await accept(runs, { ...completed(1), finishedAt: '2030-01-01T00:00:00.000Z' });
      const bounds = { endedBeforeMs: 3 * day, keepEndedAfterMs: 10 * day, maxBytes: noBound };
      expect(await runs.pastBounds(bounds)).toEqual({
        byAge: [runIdOf(1), runIdOf(2)],
        bySize: [],
        newestFinishedAt: new Date(2 * day).toISOString(),
        isAboveSize: false,
      });
      expect(await runs.pastBounds({ ...bounds, keepEndedAfterMs: 2 * day })).toMatchObject({
        byAge: [runIdOf(1)],
      });
    });

    it('the oldest runs are past the size, but none that ended lately', async () => {
      const runs = await storeOf(1, 2, 3, 4);
      const used = await runs.usedBytes();
      expect(used).toBeGreaterThanOrEqual(4_000_000);
      const past = (maxBytes: number, keepDays = 9) =>
        runs.pastBounds({ endedBeforeMs: 0, keepEndedAfterMs: keepDays * day, maxBytes });
      expect(await past(used)).toMatchObject({ bySize: [], isAboveSize: false });
      expect(await past(used - 1)).toMatchObject({ bySize: [runIdOf(1)], isAboveSize: false });
      expect(await past(used - 1_500_000)).toMatchObject({ bySize: [runIdOf(1), runIdOf(2)] });
      expect(await past(0, 3)).toMatchObject({ bySize: [1, 2, 3].map(runIdOf), isAboveSize: true });
      await runs.remove([runIdOf(1), runIdOf(2)], []);
      await expect.poll(() => runs.usedBytes()).toBeLessThan(used - 1_900_000);
    });

    const atService: Run['hosted'] = {
      connection: 'prod',
      runId: 'run_1',
      sentAt: '2026-01-01T00:00:00.000Z',
      seen: [],
    };
    it.each([
      ['here', {}],
      ['prod', { hosted: atService }],
    ] as const)(
      'a pinned run is never past a bound, and can be listed by its labels: run on %s',
      async (on, hosted) => {
        const { runs } = await openStore();
        const error = 'a text with "isPinned":true and "baseline" in it';
        await accept(runs, { ...completed(1, hosted), labels: { isPinned: true, tags: ['baseline'] } });
        await accept(runs, { ...completed(2, hosted), status: 'failed', error });
        const bounds = { endedBeforeMs: 9 * day, keepEndedAfterMs: 9 * day, maxBytes: noBound };
        expect(await runs.pastBounds(bounds)).toMatchObject({ byAge: [runIdOf(2)], bySize: [] });
        expect(await runs.pastBounds({ ...bounds, endedBeforeMs: 0, maxBytes: 0 })).toMatchObject({
          bySize: [runIdOf(2)],
          isAboveSize: true,
        });
        expect(await idsOf(runs, { isPinned: true })).toEqual([runIdOf(1)]);
        expect(await idsOf(runs, { isPinned: false })).toEqual([runIdOf(2)]);
        expect(await idsOf(runs, { tag: 'baseline' })).toEqual([runIdOf(1)]);
        expect(await idsOf(runs, { tag: 'base' })).toEqual([]);
        expect(await idsOf(runs, { on })).toEqual([runIdOf(2), runIdOf(1)]);
        expect(await idsOf(runs, { on: on === 'here' ? 'prod' : 'here' })).toEqual([]);
      },
    );

    it('the attempts of a chain are past a bound together, by the end of the newest one, and never while one is unfinished or pinned', async () => {
      const { runs } = await openStore();
      const chainId = runIdOf(1);
      await accept(runs, completed(1, {}, day), lines);
      await accept(runs, completed(2, {}, 4 * day), lines);
      await accept(runs, completed(3, { chainId, rerunOf: chainId }, 3 * day), lines);
      const chain = [runIdOf(1), runIdOf(3)];
      const pastAge = async (days: number) =>
        (await runs.pastBounds({ endedBeforeMs: days * day, keepEndedAfterMs: 9 * day, maxBytes: noBound }))
          .byAge;
      const used = await runs.usedBytes();
      const pastSize = async (maxBytes: number, keepDays = 9) =>
        (await runs.pastBounds({ endedBeforeMs: 0, keepEndedAfterMs: keepDays * day, maxBytes })).bySize;
      expect(await pastAge(2)).toEqual([]);
      expect(await pastAge(3.5)).toEqual(chain);
      expect(await pastSize(used - 1)).toEqual(chain);
      expect(await pastSize(used - 1, 2)).toEqual([]);
      expect((await pastSize(0)).toSorted()).toEqual([...chain, runIdOf(2)].toSorted());
      await accept(runs, runOf(4, 10, { status: 'paused', workflowHash, chainId, rerunOf: chainId }), lines);
      expect(await pastAge(3.5)).toEqual([]);
      expect(await pastSize(0)).toEqual([runIdOf(2)]);
      await runs.remove([runIdOf(4)], []);
      await runs.save({ ...completed(1, {}, day), labels: { isPinned: true } });
      expect(await pastAge(3.5)).toEqual([]);
      expect(await pastSize(0)).toEqual([runIdOf(2)]);
    });

    it('an unfinished run is within the bounds, whatever they are', async () => {
      const { runs } = await openStore();
      await accept(runs, runOf(1, 10, { status: 'paused', workflowHash }));
      const bounds = { endedBeforeMs: noBound, keepEndedAfterMs: noBound, maxBytes: 0 };
      expect(await runs.pastBounds(bounds)).toMatchObject({ byAge: [], bySize: [], isAboveSize: true });
    });
  });

  describe('the next opening', () => {
    it('finds records, rows, results and texts as they were left', async () => {
      const backend = await createBackend();
      const first = await openStore(backend);
      expect(first.runs.newestRunId).toBeUndefined();
      await accept(first.runs, runOf(1, 2000, { workflowHash }));
      const results = await first.runs.openResults(runIdOf(1), true);
      const running: Run = { ...runOf(1, 2000, { workflowHash }), status: 'running' };
      await results.commit(resultsOf(1, 700), running);
      const listed = await first.runs.list({});
      const statistics = await first.runs.readStatistics(runIdOf(1));
      await first.close();

      const { runs, snapshots } = await openStore(backend);
      expect(runs.newestRunId).toBe(runIdOf(1));
      expect(await runs.list({})).toEqual(listed);
      expect(await runs.readStatistics(runIdOf(1))).toEqual(statistics);
      expect(await textOf(runs.readRows(runIdOf(1)))).toBe(linesOf(rowLine, 1, 2000));
      expect(await textOf(runs.readOutputs(runIdOf(1)))).toBe(linesOf(outputLine, 1, 700));
      expect(await snapshots.get(workflowHash)).toBe(workflow);
    });

    it('finds nothing of rows that were still arriving', async () => {
      const backend = await createBackend();
      const first = await openStore(backend);
      const before = await first.runs.usedBytes();
      const writer = await first.runs.openRunWriter();
      await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, 20_000)) });
      await first.close();
      const { runs } = await openStore(backend);
      expect(await runs.list({})).toEqual([]);
      await expect.poll(() => runs.usedBytes()).toBeLessThan(before + 50_000);
    });
  });
});
