// `rowbench runs label`, `pin` and `unpin` over a data folder.
import { expect, it } from 'vitest';
import type { RunView } from '../../../src-main/contract/index.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { untilRunning } from '../../builders/until-running.ts';

const waiting = `rowbench: 1
id: waiting
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { a: 1 } }
`;

/** A run that waits, in a folder that no server has. */
async function storedRun() {
  const services = await openTestServices({ waiting }, { executes: false });
  const { runId } = await services.start('waiting', [{}]);
  await services.close();
  const cli = (...args: string[]) => runCli(['runs', ...args, '--data', services.dataDir]);
  const labelsOf = async () => (JSON.parse((await cli('show', runId, '--json')).stdout) as RunView).labels;
  return { runId, cli, labelsOf };
}

it('a run gets a name, a note and tags, and loses them again', async () => {
  const { runId, cli, labelsOf } = await storedRun();
  expect(await labelsOf()).toBeUndefined();
  const named = await cli('label', runId, '--name', ' Before ', '--note', 'Why', '--tag', 'a', 'b', 'a');
  expect(named).toMatchObject({ code: 0, stderr: `${runId}: "Before", #a, #b\n` });
  expect(await labelsOf()).toEqual({ name: 'Before', note: 'Why', tags: ['a', 'b'] });
  expect((await cli('show', runId)).stdout).toMatch(/\nlabels +"Before", #a, #b\nnote +Why\n/);
  await cli('label', runId, '--name', '', '--note', '', '--untag', 'a', '--tag', 'c');
  expect(await labelsOf()).toEqual({ tags: ['b', 'c'] });
  await cli('label', runId, '--untag', 'b', 'c');
  expect(await labelsOf()).toBeUndefined();
});

it('runs are listed by tag, by pin and by a text of their labels', async () => {
  const { runId, cli } = await storedRun();
  await cli('label', runId, '--name', 'Before the prompt', '--tag', 'baseline');
  const lists = async (...filter: string[]) => (await cli('list', ...filter)).stdout.includes(runId);
  expect(await lists('--pinned')).toBe(false);
  expect((await cli('pin', runId)).stderr).toBe(`Pinned ${runId}.\n`);
  expect(await lists('--pinned')).toBe(true);
  expect(await lists('--tag', 'baseline')).toBe(true);
  expect(await lists('--tag', 'other')).toBe(false);
  expect(await lists('--text', 'before the')).toBe(true);
  expect((await cli('list')).stdout).toContain('pinned, "Before the prompt", #baseline');
  expect((await cli('unpin', runId)).stderr).toBe(`Unpinned ${runId}.\n`);
  expect(await lists('--pinned')).toBe(false);
});

it('labels that are too long or too many are refused, and change nothing', async () => {
  const { runId, cli, labelsOf } = await storedRun();
  const many = Array.from({ length: 21 }, (_, n) => `t${n}`);
  for (const wrong of [
    ['--name', 'x'.repeat(201)],
    ['--note', 'x'.repeat(10_001)],
    ['--tag', ''],
    ['--tag', 'x'.repeat(51)],
    ['--tag', ...many],
  ])
    expect((await cli('label', runId, ...wrong)).code, wrong[0]).not.toBe(0);
  expect((await cli('label', runId)).code).toBe(2);
  expect((await cli('label', runId, '--tag', 'x'.repeat(51))).stderr).toContain(
    'a tag has more than 50 characters',
  );
  expect((await cli('label', runId, '--tag', ...many)).stderr).toContain('a run has at most 20 tags');
  expect((await cli('label', runId, '--name', 'x'.repeat(201))).stderr).toContain(
    'the name has more than 200',
  );
  expect(await labelsOf()).toBeUndefined();
});

it('labels of a run that is under way outlive its end', async () => {
  const clock = new FakeClock();
  const services = await openTestServices({ waiting }, { clock });
  const { runId } = await services.start('waiting', [{}]);
  await untilRunning(clock, async () => (await services.runs.get(runId)).run.status);
  await Promise.all([
    services.runs.label(runId, { name: 'Kept' }),
    services.runs.label(runId, { tags: ['a'] }),
    services.runs.cancel(runId),
    services.runs.label(runId, { isPinned: true }),
  ]);
  const { run } = await services.runs.get(runId);
  expect(run).toMatchObject({ status: 'cancelled', labels: { name: 'Kept', tags: ['a'], isPinned: true } });
  await services.close();
});
