// Drafts that do not end, take too much, or leave something behind; and how long workers of previews live.
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { fixedSeed } from '../../../src-main/executor/plan.ts';
import { planRun } from '../../../src-main/executor/plan-run.ts';
import { WorkerPool } from '../../../src-main/executor/pool/worker-pool.ts';
import { previewRows } from '../../../src-main/executor/run/preview-rows.ts';
import { WarmWorker } from '../../../src-main/executor/run/warm-worker.ts';
import { offlineUpstream } from '../../../src-main/executor/upstream/offline-upstream.ts';
import { parserInProcess } from '../../../src-main/services/workflows/file-parser.ts';
import {
  draftFlow,
  nodeOf,
  plainDraft,
  previewDraft,
  statesOf,
  textsOf,
} from '../../builders/draft-preview.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices } from '../../builders/open-test-services.ts';

const code = (body: string, more = ''): string =>
  draftFlow(`  - { id: before, type: set, values: { n: =row.n } }
  - id: work
    type: code
    after: [before]
    code: |
${body.replace(/^/gm, '      ')}
${more}  - { id: result, type: output, fields: { x: =nodes.work } }`);

describe('a draft', () => {
  it('that never ends is too slow at its node, keeps the values before it, and the next draft works', async ({
    annotate,
  }) => {
    const services = await openTestServices({ flow: plainDraft });
    await previewDraft(services, plainDraft);
    const start = performance.now();
    const { rows } = await previewDraft(services, code('while (true);'));
    const ms = performance.now() - start;
    await annotate(`shown after ${Math.round(ms)} ms`);
    expect(textsOf(rows, 'before')).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(statesOf(rows, 'work')).toEqual(['tooSlow', 'notReached', 'notReached']);
    // Shown after 600 ms on a quiet machine: the limit is one of processor time.
    expect(rows[0]?.error).toEqual({ nodeId: 'work', line: 9, message: 'time limit of 250 ms exceeded' });
    expect(statesOf(rows, 'result')).toEqual(['notReached', 'notReached', 'notReached']);
    const next = await previewDraft(services, plainDraft);
    expect(textsOf(next.rows, 'double')).toEqual(['{"n":2}', '{"n":4}', '{"n":6}']);
  });

  it('that is slow for one row keeps the rows before it', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const { rows } = await previewDraft(services, code('while (row.n === 2);\nreturn row.n;'));
    expect(statesOf(rows, 'work')).toEqual(['done', 'tooSlow', 'notReached']);
    expect(rows[0]?.output?.text).toBe('{"x":1}');
  });

  it.each([
    ['waits for a promise that nothing settles', 'await new Promise(() => {});'],
    ['leaves an endless chain of promise jobs', 'const on = () => Promise.resolve().then(on);\nawait on();'],
    ['is slow in a regular expression', 'return /^(a+)+$/.test("a".repeat(40) + "b");'],
  ])('that %s is too slow', async (_, body) => {
    const services = await openTestServices({ flow: plainDraft });
    const { rows } = await previewDraft(services, code(body));
    expect(statesOf(rows, 'work')[0]).toBe('tooSlow');
    expect((await previewDraft(services, plainDraft)).rows).toHaveLength(3);
  });

  it('that takes too much memory fails at its node', async () => {
    const services = await openTestServices({ flow: plainDraft }, { settings: { workerMemoryMb: 64 } });
    const body = "const all = [];\nwhile (true) all.push('x'.repeat(1000).split(''));";
    const { rows } = await previewDraft(services, code(body));
    expect(['failed', 'tooSlow']).toContain(statesOf(rows, 'work')[0]);
    expect((await previewDraft(services, plainDraft)).rows).toHaveLength(3);
  });

  it('whose code would end its own function does not run', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const { issues, rows } = await previewDraft(
      services,
      code('}}, (() => { while (true); })(), function () {{'),
    );
    expect(rows).toEqual([]);
    expect(issues[0]).toMatchObject({ severity: 'error', nodeId: 'work' });
  });

  it('leaves nothing for the next draft in the same process', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const tampering = code(`const report = [];
for (const change of [
  () => { Array.prototype.map = () => 'changed'; },
  () => { Object.prototype.left = 1; },
  () => { Math.random = () => 7; },
  () => { (function () {}).constructor.prototype.left = 1; },
]) { try { change(); report.push('changed'); } catch (error) { report.push('refused'); } }
return report;`);
    const tampered = await previewDraft(services, tampering);
    expect(textsOf(tampered.rows, 'work')[0]).toBe(JSON.stringify(Array(4).fill('refused')));
    const { rows, issues } = await previewDraft(
      services,
      code('return [[1].map((n) => n + 1)[0], {}.left, (() => {}).left, Math.random() < 1].map(String);'),
    );
    expect(issues).toEqual([]);
    expect(nodeOf(rows, 'work')[0]?.value?.text).toBe('["2","undefined","undefined","true"]');
  });
});

describe('workers of previews', () => {
  const script = new URL('../../../dist/row-worker.cjs', import.meta.url).pathname;

  it('serve one draft after another, and end when no preview follows for 60 s', async () => {
    const clock = new FakeClock();
    const pool = new WorkerPool({
      workerScript: script,
      clock,
      log: silentLog,
      timeLimitMs: 250,
      memoryMb: 64,
      idleMs: 60_000,
      maxWorkers: 2,
    });
    const run = async (planKey: string, factor: number) => {
      const { workflow } = await parserInProcess.workflow(plainDraft.replace('* 2', `* ${factor}`));
      if (workflow === undefined) throw new Error('the draft is broken');
      return previewRows({
        previewId: 'preview',
        pool,
        planKey,
        plan: planRun(workflow),
        seed: fixedSeed,
        rows: [{ number: 1, json: '{"n":1}' }],
        upstream: offlineUpstream(''),
        clock: systemClock,
        maxComputingMs: 1000,
        signal: new AbortController().signal,
      });
    };
    expect((await run('flow', 2)).rows[0]?.output).toBe('{"n":2}');
    expect((await run('flow', 3)).rows[0]?.output).toBe('{"n":3}');
    const worker = await pool.lease({ owner: {}, planKey: 'flow', isFirst: true });
    expect(worker?.runs).toBe(2);
    if (worker === undefined) return;
    pool.release(worker, 'flow');
    // A third workflow ends the worker that was idle for longest.
    await run('second', 4);
    await run('third', 5);
    await worker.ended;
    const last = await pool.lease({ owner: {}, planKey: 'third', isFirst: true });
    if (last === undefined) return;
    pool.release(last, 'third');
    clock.advance(60_000);
    await last.ended;
    await pool.close();
  });

  it('leave one for another workflow while a preview computes for long', async () => {
    const clock = new FakeClock();
    const options = { workerScript: script, clock, log: silentLog, timeLimitMs: 250, memoryMb: 64 };
    const pool = new WorkerPool({ ...options, maxWorkers: 2 });
    const warm = new WarmWorker({ pool, planKey: 'slow', clock });
    const computing = await warm.lease({});
    clock.advance(1_000);
    const other = await pool.lease({ owner: {}, planKey: 'other', isFirst: true });
    expect(other).toBeDefined();
    // The slow preview is stopped, and goes on in another worker.
    if (computing !== undefined) await pool.discard(computing);
    const next = await warm.lease({});
    expect(next).toBeDefined();
    expect(next).not.toBe(computing);
    warm.close();
    await pool.close();
  });

  it('end with the server, and so does a preview under way', async () => {
    const services = await openTestServices({ flow: plainDraft });
    await previewDraft(services, plainDraft);
    const underWay = previewDraft(services, code('while (true);'));
    await services.close();
    await expect(underWay).resolves.toMatchObject({ superseded: true });
  });
});
