// The effects of a scenario on its run: it uses the usual verbs and status table, always at the same place.
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src-main/domain/run/run.ts';
import { readScenario } from '../../../src-main/domain/scenarios/parse-scenario.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const echo = `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: x, type: set, values: { n: "=row.n" }, onError: { value: { n: 0 } } }
  - { id: out, type: output, fields: { n: "=nodes.x.n" } }
`;
const skipping = echo.replace('nodes:', 'onRowError: skip\nnodes:').replace('id: echo', 'id: skipping');
const flows = { echo, skipping };

const counted = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n: n + 1 }));

const withScenario = (text: string) => ({ scenario: readScenario(text) });

const until = async ({ runs }: TestServices, runId: string, status: Run['status']): Promise<void> =>
  expect.poll(async () => (await runs.get(runId)).run.status, { timeout: 10_000 }).toBe(status);

/** Whatever was about to happen without waiting has happened. */
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('queued-for', () => {
  it('keeps a run queued that long, and no other one', async () => {
    const clock = new FakeClock();
    const services = await openTestServices(flows, { clock });
    const { runId } = await services.start('echo', counted(2), withScenario('queued-for=10s'));
    const other = await services.start('echo', counted(2));
    await until(services, other.runId, 'completed');
    clock.advance(9_999);
    await quiet();
    expect((await services.runs.get(runId)).run.status).toBe('queued');
    clock.advance(1);
    await until(services, runId, 'completed');
  });

  it('counts from the acceptance, whatever was in between', async () => {
    const first = new FakeClock();
    const before = await openTestServices(flows, { clock: first });
    const { runId } = await before.start('echo', counted(2), withScenario('queued-for=10s'));
    first.advance(4_000);
    await before.close();
    const clock = new FakeClock(first.now());
    const after = await openTestServices({}, { dataDir: before.dataDir, clock });
    await after.runs.pause(runId);
    await after.runs.resume(runId);
    clock.advance(5_999);
    await quiet();
    expect((await after.runs.get(runId)).run.status).toBe('queued');
    clock.advance(1);
    await until(after, runId, 'completed');
  });

  it('takes no time on a virtual clock', async () => {
    const services = await openTestServices(flows, { clock: new FakeClock() });
    const inputs = { ...withScenario('queued-for=1h,slow=1h'), clock: 'virtual' } as const;
    const { runId } = await services.start('echo', counted(40), inputs);
    await until(services, runId, 'completed');
    expect(await services.outputs(runId)).toEqual(counted(40));
  });
});

describe('fail-row', () => {
  it('fails that row in its first node, whatever onError says', async () => {
    const services = await openTestServices(flows);
    const { runId } = await services.start('echo', counted(5), withScenario('fail-row=3'));
    await until(services, runId, 'failed');
    const { run } = await services.runs.get(runId);
    expect(run).toMatchObject({
      error: 'Node "x" failed on row 3: scenario fail-row',
      counts: { rowsDone: 2, rowsFailed: 1 },
    });
  });

  it('leaves the other rows alone where the workflow skips failed ones', async () => {
    const services = await openTestServices(flows);
    const { runId } = await services.start('skipping', counted(3), withScenario('fail-row=2'));
    await until(services, runId, 'completed');
    expect(await services.outputs(runId)).toEqual([{ n: 1 }, undefined, { n: 3 }]);
  });
});

describe('pause-at', () => {
  it.each([
    ['50%', 10, 5],
    ['3', 10, 3],
    ['0%', 4, 0],
    ['50%', 1000, 500],
  ])('%s of %d rows pauses after %d, until a client resumes the run', async (position, rows, committed) => {
    const services = await openTestServices(flows);
    const { runId } = await services.start('echo', counted(rows), withScenario(`pause-at=${position}`));
    await until(services, runId, 'paused');
    expect((await services.runs.get(runId)).counts).toEqual({ rowsDone: committed, rowsFailed: 0 });
    await services.runs.resume(runId);
    await until(services, runId, 'completed');
    expect(await services.outputs(runId)).toEqual(counted(rows));
  });

  it('pauses once, over restarts too', async () => {
    const before = await openTestServices(flows);
    const { runId } = await before.start('echo', counted(10), withScenario('pause-at=50%'));
    await until(before, runId, 'paused');
    await before.close();
    const after = await openTestServices({}, { dataDir: before.dataDir });
    expect((await after.runs.get(runId)).run.status).toBe('paused');
    await after.runs.resume(runId);
    await until(after, runId, 'completed');
    expect(await after.outputs(runId)).toEqual(counted(10));
  });

  it('pauses a rerun again', async () => {
    const services = await openTestServices(flows);
    const { runId } = await services.start('echo', counted(10), withScenario('pause-at=50%'));
    await until(services, runId, 'paused');
    const { run } = await services.runs.rerun(runId, 'all', { kind: 'cli' });
    expect(run.scenario).toEqual({ 'pause-at': { percent: 50 } });
    await until(services, run.runId, 'paused');
    expect((await services.runs.get(run.runId)).counts.rowsDone).toBe(5);
  });
});

describe('cancel-at', () => {
  it('cancels the run after that row, and none is begun after it', async () => {
    const services = await openTestServices(flows);
    const { runId } = await services.start('echo', counted(500), withScenario('cancel-at=50%,pause-at=100'));
    await until(services, runId, 'paused');
    await services.runs.resume(runId);
    await until(services, runId, 'cancelled');
    expect(await services.outputs(runId)).toEqual(counted(250));
  });
});

describe('slow', () => {
  it('lets each row wait first, on the clock of the run', async () => {
    const clock = new FakeClock();
    const services = await openTestServices(flows, { clock });
    const { runId } = await services.start('echo', counted(3), withScenario('slow=200ms'));
    const waiting = async () => (await services.runs.get(runId)).progress?.running.length;
    await expect.poll(waiting).toBe(3);
    clock.advance(199);
    await quiet();
    expect((await services.runs.get(runId)).counts.rowsDone).toBe(0);
    clock.advance(1);
    await until(services, runId, 'completed');
  });
});

describe('a setting', () => {
  const settings = { scenarios: { header: false, workflows: { echo: 'fail-row=1' } } };

  it('gives a scenario to every new run of a workflow', async () => {
    const services = await openTestServices(flows, { settings });
    const { runId } = await services.start('echo', counted(1));
    await until(services, runId, 'failed');
    const other = await services.start('skipping', counted(1));
    expect(other.scenario).toBeUndefined();
  });

  it('gives way to what a run asks for itself, nothing included', async () => {
    const services = await openTestServices(flows, { settings });
    const plain = await services.start('echo', counted(1), withScenario('none'));
    expect(plain.scenario).toBeUndefined();
    await until(services, plain.runId, 'completed');
    const slow = await services.start('echo', counted(1), withScenario('slow=1ms'));
    expect(slow.scenario).toEqual({ slow: 1 });
    const { run } = await services.runs.rerun(plain.runId, 'all', { kind: 'cli' });
    expect(run.scenario).toBeUndefined();
  });

  it('that cannot be read stops the start with what is wrong with it', async () => {
    const wrong = { scenarios: { header: false, workflows: { echo: 'fial-row=1' } } };
    await expect(openTestServices(flows, { settings: wrong })).rejects.toThrow(
      'there is no "fial-row" (did you mean "fail-row"?)',
    );
  });
});
