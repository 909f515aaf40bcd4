import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../../src-main/domain/settings.ts';
import { queuedRun } from '../../builders/run-record.ts';
import { sampleWorkflows, startTestApp } from '../../builders/start-test-app.ts';

type Options = Partial<Parameters<typeof startTestApp>[0]>;

async function start(options: Options = {}) {
  const app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, ...options });
  onTestFinished(() => app.close());
  const stored = async () =>
    JSON.parse(await readFile(join(app.dataDir, 'settings.json'), 'utf8')) as Partial<Settings>;
  return { ...app, stored, change: app.handlers['settings.change'], show: app.handlers['settings.show'] };
}

/** Ended so many days ago. */
function endedRun(n: number, days: number) {
  const runId = `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const at = new Date(Date.now() - days * 86_400_000).toISOString();
  const times = { acceptedAt: at, startedAt: at, finishedAt: at };
  const counts = { rowsDone: 1, rowsFailed: 0 };
  return { ...queuedRun(), ...times, runId, rows: 1, status: 'completed', counts } as const;
}

describe('settings', () => {
  it('are changed one by one, durably, and count at once where they can', async () => {
    const app = await start();
    const path = '/api/v1/workflows/echo/runs/x/async/status';
    const withHeader = () => app.call(path, { key: null, headers: { 'x-other-key': app.key } });
    expect((await withHeader()).status).toBe(401);
    await app.change({ extraKeyHeader: 'x-other-key' });
    expect((await withHeader()).status).toBe(404);
    await app.change({ limits: { scale: 10 } });
    expect((await app.call(path)).headers.get('x-rowbench-limits')).toBe('10x');
    expect(await app.stored()).toMatchObject({ extraKeyHeader: 'x-other-key', limits: { scale: 10 } });
    expect((await app.show({})).stored).toMatchObject({
      extraKeyHeader: 'x-other-key',
      limits: { scale: 10 },
      maxRows: 1_000_000,
    });
  });

  it('go back to their defaults with null', async () => {
    const app = await start({ settings: { limits: 'off', extraKeyHeader: 'x-other-key' } });
    const { stored } = await app.change({ limits: null, extraKeyHeader: null });
    expect([stored.limits, stored.extraKeyHeader]).toEqual(['published', undefined]);
    expect(await app.stored()).not.toHaveProperty('extraKeyHeader');
  });

  it('say which of them wait for the next start', async () => {
    const app = await start();
    expect((await app.change({ workerMemoryMb: 512, limits: 'off' })).waiting).toEqual(['workerMemoryMb']);
    expect((await app.change({ workerMemoryMb: null })).waiting).toEqual([]);
  });

  it('that this start has fixed cannot be changed, and say by what', async () => {
    const app = await start({ limits: 'off' });
    expect((await app.show({})).fixedBy).toEqual({ limits: '--limits', port: '--port' });
    await expect(app.change({ limits: 'published' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The setting "limits" is fixed by --limits until the server is started without it',
    });
    await expect(app.change({ port: 5000 })).rejects.toThrow('fixed by --port');
    expect((await app.change({ maxRows: 10 })).stored.maxRows).toBe(10);
  });

  it('show what bounds of retention would remove, and remove it once they are set', async () => {
    const older = endedRun(2, 10);
    const app = await start({ runs: [endedRun(1, 20), older, endedRun(3, 1)] });
    await expect.poll(async () => (await app.handlers['run.list']({ limit: 50 })).length).toBe(3);
    const preview = await app.handlers['settings.retention']({ days: 7, gigabytes: 5 });
    expect(preview).toEqual({ runs: 2, newest: older.finishedAt });
    expect((await app.handlers['run.list']({ limit: 50 })).length).toBe(3);
    await app.change({ retention: { days: 7, gigabytes: 5 } });
    await expect
      .poll(async () => (await app.handlers['run.list']({ limit: 50 })).map(({ runId }) => runId))
      .toEqual([endedRun(3, 1).runId]);
  });

  it('let waiting runs start once more may run together', async () => {
    const app = await start({
      workflows: { waiting: sampleWorkflows.waiting },
      settings: { runsAtOnce: 1 },
    });
    const first = await app.run('waiting', [{ n: 1 }]);
    const second = await app.run('waiting', [{ n: 1 }]);
    const status = async (runId: string) => (await app.handlers['run.show']({ runId })).status;
    await expect.poll(() => status(first)).toBe('running');
    expect(await status(second)).toBe('queued');
    await app.change({ runsAtOnce: 2 });
    await expect.poll(() => status(second)).toBe('running');
  });

  it('come with the size of the folder that holds them', async () => {
    const app = await start();
    const before = await app.handlers['settings.folder']({});
    expect(before).toMatchObject({ path: app.dataDir });
    expect(before.usedBytes).toBeGreaterThan(sampleWorkflows.echo.length);
    expect(before.freeBytes).toBeGreaterThan(0);
    await app.run('echo', [{ text: 'x'.repeat(100_000) }]);
    const after = await app.handlers['settings.folder']({});
    expect(after.usedBytes - before.usedBytes).toBeGreaterThan(100_000);
  });
});
