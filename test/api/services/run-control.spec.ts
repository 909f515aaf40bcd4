// The verbs on runs over real files and real row workers. Waits stand on a clock that the test moves.
import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { LeapingClock, overADay } from '../../builders/leaping-clock.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { snapshotsIn } from '../../builders/stored-runs.ts';
import { untilRunning } from '../../builders/until-running.ts';

const waiting = `rowbench: 1
id: waiting
concurrency: 4
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

const chancy = `rowbench: 1
id: chancy
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n", chance: "=Math.random()", time: "=Date.now()" } }
`;

const skipping = `rowbench: 1
id: skipping
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n !== 2", message: "two is not welcome" }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

const hour = 60 * 60 * 1000;
const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];

const statusIn = (services: TestServices, runId: string) => async (): Promise<RunStatus> =>
  (await services.runs.get(runId)).run.status;

/** Moves time on until the run has the status: how many waits a run makes is not the test's business. */
async function advanceUntil(
  services: TestServices,
  clock: FakeClock,
  until: { runId: string; status: RunStatus },
) {
  await expect
    .poll(
      async () => {
        clock.advance(hour);
        return statusIn(services, until.runId)();
      },
      { timeout: 10_000 },
    )
    .toBe(until.status);
}

describe('pause and resume', () => {
  it('a paused run stands still and goes on where it was', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    const { runId } = await services.start('waiting', rows);
    await untilRunning(clock, statusIn(services, runId));
    const { run } = await services.runs.pause(runId);
    expect(['pausing', 'paused']).toContain(run.status);
    await expect.poll(statusIn(services, runId)).toBe('paused');
    clock.advance(10 * hour);
    expect(await statusIn(services, runId)()).toBe('paused');
    expect((await services.runs.resume(runId)).run.status).toMatch(/queued|running/);
    await advanceUntil(services, clock, { runId, status: 'completed' });
    expect(await services.outputs(runId)).toEqual(rows);
  });

  it('a queued run is paused at once and leaves the queue', async () => {
    const services = await openTestServices({ quick }, { executes: false });
    const { runId } = await services.start('quick', rows);
    expect((await services.runs.pause(runId)).run.status).toBe('paused');
    expect((await services.runs.resume(runId)).run.status).toBe('queued');
  });

  it('a finished run can be neither paused nor resumed', async () => {
    const services = await openTestServices({ quick });
    const { runId } = await services.start('quick', rows);
    await expect.poll(statusIn(services, runId)).toBe('completed');
    await expect(services.runs.pause(runId)).rejects.toThrow('A completed run cannot be paused');
    await expect(services.runs.resume(runId)).rejects.toThrow('A completed run cannot be resumed');
    await expect(services.runs.cancel(runId)).rejects.toThrow('A completed run cannot be cancelled');
  });

  it('a paused run stays paused over a restart and then completes', async () => {
    const clock = new FakeClock();
    const first = await openTestServices({ waiting }, { clock });
    const { runId } = await first.start('waiting', rows);
    await untilRunning(clock, statusIn(first, runId));
    await first.runs.pause(runId);
    await first.close();
    const second = await openTestServices({}, { clock, dataDir: first.dataDir });
    expect(await statusIn(second, runId)()).toBe('paused');
    await second.runs.resume(runId);
    await advanceUntil(second, clock, { runId, status: 'completed' });
    expect(await second.outputs(runId)).toEqual(rows);
  });
});

describe('cancel', () => {
  it('interrupts a wait of an hour at once', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    const { runId } = await services.start('waiting', rows);
    await untilRunning(clock, statusIn(services, runId));
    const { run } = await services.runs.cancel(runId);
    expect(run).toMatchObject({ status: 'cancelled' });
    expect(run.finishedAt).not.toBeNull();
  });

  it('ends a paused run without running another node', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    const { runId } = await services.start('waiting', rows);
    await untilRunning(clock, statusIn(services, runId));
    await services.runs.pause(runId);
    await expect.poll(statusIn(services, runId)).toBe('paused');
    await services.runs.cancel(runId);
    clock.advance(10 * hour);
    const { run, counts } = await services.runs.get(runId);
    expect([run.status, counts.rowsDone]).toEqual(['cancelled', 0]);
  });
});

describe('rerun', () => {
  it('is a new run with the same rows, linked to the old', async () => {
    const services = await openTestServices({ quick });
    const { runId } = await services.start('quick', rows);
    await expect.poll(statusIn(services, runId)).toBe('completed');
    const again = await services.runs.rerun(runId, 'all', { kind: 'cli' });
    expect(again.run).toMatchObject({ rerunOf: runId, rows: 3 });
    expect(again.run.runId).not.toBe(runId);
    await expect.poll(statusIn(services, again.run.runId)).toBe('completed');
    expect(await services.outputs(again.run.runId)).toEqual(rows);
  });

  it('repeats only the failed rows, with the workflow as it is now', async () => {
    const services = await openTestServices({ skipping });
    const { runId } = await services.start('skipping', rows);
    await expect.poll(statusIn(services, runId)).toBe('completed');
    expect(await services.outputs(runId)).toEqual([{ n: 1 }, undefined, { n: 3 }]);
    await services.write('skipping', skipping.replace('row.n !== 2', 'row.n > 0'));
    const again = await services.runs.rerun(runId, 'failed', { kind: 'cli' });
    await expect.poll(statusIn(services, again.run.runId)).toBe('completed');
    expect(await services.outputs(again.run.runId)).toEqual([{ n: 2 }]);
  });

  it('gives the same answers, chance and time included', async () => {
    const services = await openTestServices({ chancy });
    const { runId } = await services.start('chancy', rows);
    await expect.poll(statusIn(services, runId)).toBe('completed');
    const again = await services.runs.rerun(runId, 'all', { kind: 'cli' });
    await expect.poll(statusIn(services, again.run.runId)).toBe('completed');
    const answers = await services.outputs(runId);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(rows.length);
    expect(await services.outputs(again.run.runId)).toEqual(answers);
  });

  it('of failed rows waits until the run has ended', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ waiting }, { clock });
    const { runId } = await services.start('waiting', rows);
    await untilRunning(clock, statusIn(services, runId));
    await expect(services.runs.rerun(runId, 'failed', { kind: 'cli' })).rejects.toThrow(
      'wait until it has ended',
    );
  });

  it('leaves nothing behind when there is nothing to repeat', async () => {
    const services = await openTestServices({ quick });
    const { runId } = await services.start('quick', rows);
    await expect.poll(statusIn(services, runId)).toBe('completed');
    await expect(services.runs.rerun(runId, 'failed', { kind: 'cli' })).rejects.toThrow('no rows left');
    expect(await services.runs.list({})).toHaveLength(1);
  });
});

describe('restart', () => {
  it('runs that were queued and running go on, in their order, without a row lost or doubled', async () => {
    const clock = new FakeClock();
    const first = await openTestServices({ waiting, quick }, { clock });
    const slow = await first.start('waiting', rows);
    await untilRunning(clock, statusIn(first, slow.runId));
    await first.close();
    const second = await openTestServices({}, { clock, dataDir: first.dataDir });
    await advanceUntil(second, clock, { runId: slow.runId, status: 'completed' });
    expect(await second.outputs(slow.runId)).toEqual(rows);
  });

  it('a run keeps the workflow that it was accepted with, though the file changed or went', async () => {
    const first = await openTestServices({ quick }, { executes: false });
    const { runId } = await first.start('quick', rows);
    await first.write('quick', quick.replace('=row.n', '=row.n * 100'));
    await first.close();
    const second = await openTestServices({}, { dataDir: first.dataDir });
    await expect.poll(statusIn(second, runId)).toBe('completed');
    expect(await second.outputs(runId)).toEqual(rows);
  });
});

describe('a failing row', () => {
  it('ends the run with an error that names node, row and cause', async () => {
    const services = await openTestServices({
      skipping: skipping.replace('onRowError: skip', 'onRowError: fail'),
    });
    const { runId } = await services.start('skipping', rows);
    await expect.poll(statusIn(services, runId)).toBe('failed');
    const { run, counts } = await services.runs.get(runId);
    expect(run).toMatchObject({ error: 'Node "check" failed on row 2: two is not welcome' });
    expect(counts).toEqual({ rowsDone: 1, rowsFailed: 1 });
    expect(await services.runs.readFailures(runId, 10)).toMatchObject([{ row: 2, nodeId: 'check' }]);
  });
});

describe('retention', () => {
  const settings = { retention: { days: 1, gigabytes: 5 } };

  it('retention keeps runs that are not past the age, and the workflow texts of those alone', async () => {
    const clock = new FakeClock();
    const services = await openTestServices({ quick }, { clock, settings });
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      if (count === 2) clock.advance(overADay);
      await services.write('quick', `${quick}# ${count}\n`);
      const { runId } = await services.start('quick', rows);
      await expect.poll(statusIn(services, runId)).toBe('completed');
      ids.unshift(runId);
    }
    const listed = async () => (await services.runs.list({})).map(({ run }) => run.runId);
    await expect.poll(async () => (clock.advance(1000), listed())).toEqual(ids.slice(0, 2));
    await expect.poll(() => snapshotsIn(services.dataDir)).toBe(2);
    await expect(services.runs.get(ids[3] ?? '')).rejects.toThrow('Workflow run not found');
  });

  it('retention never removes a run that has not ended', async () => {
    const clock = new LeapingClock();
    const services = await openTestServices({ quick, waiting }, { clock, settings });
    const slow = await services.start('waiting', rows);
    for (let count = 0; count < 3; count += 1) {
      if (count === 2) clock.leap(overADay);
      const { runId } = await services.start('quick', rows);
      await expect.poll(statusIn(services, runId)).toBe('completed');
    }
    await expect.poll(async () => (await services.runs.list({})).length).toBe(2);
    expect(await statusIn(services, slow.runId)()).toBe('running');
  });
});
