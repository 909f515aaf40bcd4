// Verbs that reach a run in the middle of another action. Each of these cases once could leave a run that never ended.
import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { untilRunning } from '../../builders/until-running.ts';

// Computes for a moment, then holds or fails.
const computing = `rowbench: 1
id: computing
nodes:
  - { id: input, type: input }
  - id: work
    type: code
    code: |
      let sum = 0;
      for (let step = 0; step < row.steps; step += 1) sum += step % 7;
      if (row.fails) throw new Error('no more');
      return sum;
  - { id: result, type: output, fields: { n: "=row.n", sum: "=nodes.work" } }
`;

const waiting = `rowbench: 1
id: waiting
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

const aMoment = 100_000_000;

const statusIn = (services: TestServices, runId: string) => async (): Promise<RunStatus> =>
  (await services.runs.get(runId)).run.status;

async function pausedDuring(rows: readonly unknown[]) {
  const services = await openTestServices({ computing });
  const { runId } = await services.start('computing', rows);
  await expect.poll(statusIn(services, runId), { interval: 1 }).toBe('running');
  await services.runs.pause(runId);
  return { services, runId };
}

describe('a pause that comes while the last row computes', () => {
  it('finds the run completed when the row is done', async () => {
    const { services, runId } = await pausedDuring([{ n: 1, steps: aMoment }]);
    await expect.poll(statusIn(services, runId), { timeout: 10_000 }).toMatch(/completed|paused/);
    // Held before its output node, it is paused in truth; then a resume completes it.
    if ((await statusIn(services, runId)()) === 'paused') await services.runs.resume(runId);
    await expect.poll(statusIn(services, runId)).toBe('completed');
    expect(await services.outputs(runId)).toMatchObject([{ n: 1 }]);
  });

  it('finds the run failed when the row fails, and never completes it', async () => {
    const { services, runId } = await pausedDuring([
      { n: 1, steps: aMoment, fails: true },
      { n: 2, steps: 1 },
    ]);
    await expect.poll(statusIn(services, runId), { timeout: 10_000 }).toMatch(/failed|paused/);
    if ((await statusIn(services, runId)()) === 'paused') await services.runs.resume(runId);
    await expect.poll(statusIn(services, runId)).toBe('failed');
    const { run } = await services.runs.get(runId);
    expect(run).toMatchObject({ error: 'Node "work" failed on row 1: Error: no more' });
  });
});

describe('verbs in quick succession', () => {
  it('pause and resume at the very start leave the run executing', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    for (let round = 0; round < 10; round += 1) {
      const { runId } = await services.start('waiting', [{ n: round }]);
      await services.runs.pause(runId);
      await services.runs.resume(runId);
      await expect
        .poll(async () => {
          clock.advance(60 * 60 * 1000);
          return statusIn(services, runId)();
        })
        .toBe('completed');
      expect(await services.outputs(runId)).toEqual([{ n: round }]);
    }
    expect(services.folder.health.degraded).toBe(false);
  });

  it('pause, resume and pause end in a pause in which nothing runs', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    const { runId } = await services.start('waiting', [{ n: 1 }]);
    await expect.poll(() => clock.pending).toBeGreaterThan(0);
    const verbs = [services.runs.pause(runId), services.runs.resume(runId), services.runs.pause(runId)];
    await Promise.allSettled(verbs);
    await expect.poll(statusIn(services, runId)).toBe('paused');
    clock.advance(10 * 60 * 60 * 1000);
    expect(await statusIn(services, runId)()).toBe('paused');
  });
});

describe('many paused runs', () => {
  it('keep the workers of a few only, and all complete', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { runId } = await services.start('waiting', [{ n: count }]);
      await untilRunning(clock, statusIn(services, runId));
      await expect.poll(() => clock.pending).toBeGreaterThan(0);
      await services.runs.pause(runId);
      await expect.poll(statusIn(services, runId)).toBe('paused');
      ids.push(runId);
    }
    for (const runId of ids) await services.runs.resume(runId);
    for (const [count, runId] of ids.entries()) {
      await expect
        .poll(async () => {
          clock.advance(60 * 60 * 1000);
          return statusIn(services, runId)();
        })
        .toBe('completed');
      expect(await services.outputs(runId)).toEqual([{ n: count }]);
    }
  });
});
