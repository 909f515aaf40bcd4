// Recovery: a process continues from the data that the previous process left.
import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import { leaveStaleLock, rewindRun } from '../../builders/crashed-folder.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { storedRun } from '../../builders/stored-runs.ts';
import { untilRunning } from '../../builders/until-running.ts';

const waiting = `rowbench: 1
id: waiting
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

const failing = `rowbench: 1
id: failing
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n !== 2", message: "two is not welcome" }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];

const statusIn = (services: TestServices, runId: string) => async (): Promise<RunStatus> =>
  (await services.runs.get(runId)).run.status;

const recoveriesOf = (services: TestServices, runId: string) => async (): Promise<number> =>
  (await services.runs.get(runId)).run.fruitlessRecoveries;

/** A run that waits for ever on its clock, in a folder whose process was then killed. */
async function killedWhileExecuting(): Promise<{ dataDir: string; runId: string }> {
  const clock = new FakeClock();
  const services = await openTestServices({ waiting }, { clock });
  const { runId } = await services.start('waiting', rows);
  await untilRunning(clock, statusIn(services, runId));
  await services.close();
  await leaveStaleLock(services.dataDir);
  return { dataDir: services.dataDir, runId };
}

describe('a run that was executing when the process was killed', () => {
  it('is counted once for each crash without progress, and goes on', async () => {
    const { dataDir, runId } = await killedWhileExecuting();
    for (const crashes of [1, 2]) {
      const services = await openTestServices({}, { dataDir, clock: new FakeClock() });
      await expect.poll(recoveriesOf(services, runId)).toBe(crashes);
      expect(await statusIn(services, runId)()).toBe('running');
      await services.close();
      await leaveStaleLock(dataDir);
    }
  });

  it('fails after ten crashes without a row being finished', { timeout: 60_000 }, async () => {
    const { dataDir, runId } = await killedWhileExecuting();
    /** Its time goes on, so that a run's rest before it is tried again ends. */
    const runningOn = async (): Promise<{ services: TestServices; goOn: () => void }> => {
      const clock = new FakeClock();
      return {
        services: await openTestServices({}, { dataDir, clock }),
        goOn: () => clock.advance(5_000),
      };
    };
    for (let crash = 1; crash < 10; crash += 1) {
      const { services, goOn } = await runningOn();
      const failedRecoveries = async (): Promise<unknown> => {
        goOn();
        return recoveriesOf(services, runId)();
      };
      await expect.poll(failedRecoveries).toBe(crash);
      await services.close();
      await leaveStaleLock(dataDir);
    }
    const { services, goOn } = await runningOn();
    await expect.poll(async () => (goOn(), statusIn(services, runId)())).toBe('failed');
    const { run } = await services.runs.get(runId);
    expect(run).toMatchObject({
      error: expect.stringContaining('Interrupted: Rowbench ended 10 times') as string,
    });
  });

  it(
    'rests before it is tried a third time, and crashes meanwhile do not count',
    { timeout: 60_000 },
    async () => {
      const { dataDir, runId } = await killedWhileExecuting();
      const failedRecoveries = async (): Promise<unknown> =>
        (await storedRun(dataDir, runId))['fruitlessRecoveries'];
      for (const crashes of [1, 2]) {
        const services = await openTestServices({}, { dataDir, clock: new FakeClock() });
        await expect.poll(recoveriesOf(services, runId)).toBe(crashes);
        await services.close();
        await leaveStaleLock(dataDir);
      }
      for (let short = 0; short < 3; short += 1) {
        const clock = new FakeClock();
        const services = await openTestServices({}, { dataDir, clock });
        await expect.poll(() => clock.pending).toBeGreaterThan(0);
        clock.advance(1_999);
        await services.close();
        await leaveStaleLock(dataDir);
        expect(await failedRecoveries()).toBe(2);
      }
      const clock = new FakeClock();
      const services = await openTestServices({}, { dataDir, clock });
      await expect.poll(() => clock.pending).toBeGreaterThan(0);
      clock.advance(2_000);
      await expect.poll(recoveriesOf(services, runId)).toBe(3);
      expect(await statusIn(services, runId)()).toBe('running');
      await services.close();
    },
  );

  it('is counted anew once a row was finished in between', async () => {
    const { dataDir, runId } = await killedWhileExecuting();
    const clock = new FakeClock();
    const services = await openTestServices({}, { dataDir, clock });
    await expect.poll(recoveriesOf(services, runId)).toBe(1);
    await expect
      .poll(async () => {
        clock.advance(60 * 60 * 1000);
        return statusIn(services, runId)();
      })
      .toBe('completed');
    expect(await services.outputs(runId)).toEqual(rows);
  });

  it('is not counted when the process ended in order', async () => {
    const before = new FakeClock();
    const first = await openTestServices({ waiting }, { clock: before });
    const { runId } = await first.start('waiting', rows);
    await untilRunning(before, statusIn(first, runId));
    await first.close();
    const clock = new FakeClock();
    const second = await openTestServices({}, { dataDir: first.dataDir, clock });
    await expect.poll(() => clock.pending).toBeGreaterThan(0);
    expect(await storedRun(first.dataDir, runId)).toMatchObject({ fruitlessRecoveries: 0 });
    await second.close();
  });
});

describe('a run that had failed when the process was killed', () => {
  it('is failed with the same error, though its record did not say so yet', async () => {
    const first = await openTestServices({ failing });
    const { runId } = await first.start('failing', rows);
    await expect.poll(statusIn(first, runId)).toBe('failed');
    await first.close();
    await rewindRun(first.dataDir, runId, 'running');
    await leaveStaleLock(first.dataDir);
    const second = await openTestServices({}, { dataDir: first.dataDir });
    await expect.poll(statusIn(second, runId)).toBe('failed');
    const { run, counts } = await second.runs.get(runId);
    expect(run).toMatchObject({ error: 'Node "check" failed on row 2: two is not welcome' });
    expect(counts).toEqual({ rowsDone: 1, rowsFailed: 1 });
    expect(await second.outputs(runId)).toEqual([{ n: 1 }, undefined]);
  });
});

describe('a run that was pausing when the process was killed', () => {
  it('is paused', async () => {
    const clock = new FakeClock();
    const first = await openTestServices({ waiting }, { clock });
    const { runId } = await first.start('waiting', rows);
    await untilRunning(clock, statusIn(first, runId));
    await first.runs.pause(runId);
    await expect.poll(statusIn(first, runId)).toBe('paused');
    await first.close();
    await rewindRun(first.dataDir, runId, 'pausing');
    expect(await storedRun(first.dataDir, runId)).toMatchObject({ status: 'pausing' });
    await leaveStaleLock(first.dataDir);
    const second = await openTestServices({}, { dataDir: first.dataDir, clock: new FakeClock() });
    expect(await statusIn(second, runId)()).toBe('paused');
  });

  it('is completed if all its rows have results', async () => {
    const first = await openTestServices({ failing });
    const { runId } = await first.start('failing', [{ n: 1 }]);
    await expect.poll(statusIn(first, runId)).toBe('completed');
    await first.close();
    await rewindRun(first.dataDir, runId, 'pausing');
    await leaveStaleLock(first.dataDir);
    const second = await openTestServices({}, { dataDir: first.dataDir });
    expect(await statusIn(second, runId)()).toBe('completed');
  });
});

describe('runs that were queued', () => {
  it('execute in the order in which they were accepted', async () => {
    const first = await openTestServices({ waiting }, { executes: false });
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.push((await first.start('waiting', rows)).runId);
    await first.close();
    const second = await openTestServices({}, { dataDir: first.dataDir, clock: new FakeClock() });
    // Eight execute at the same time; time stands still, so none of them ends.
    const running = async (): Promise<string[]> =>
      (await second.runs.list({ status: 'running' })).map(({ run }) => run.runId).reverse();
    await expect.poll(async () => (await running()).length).toBe(8);
    expect(await running()).toEqual(ids.slice(0, 8));
  });
});
