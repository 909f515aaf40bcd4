import { expect, it } from 'vitest';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const mocked = `rowbench: 1
id: mocked
nodes:
  - { id: input, type: input }
  - { id: x, type: set, values: { from: code }, mock: { small: { from: mock } } }
  - { id: out, type: output, fields: { from: "=nodes.x.from" } }
`;

const untilCompleted = ({ runs }: TestServices, runId: string): Promise<void> =>
  expect.poll(async () => (await runs.get(runId)).run.status, { timeout: 10_000 }).toBe('completed');

it('a run keeps its mocks over a restart, and its reruns do', async () => {
  const before = await openTestServices({ mocked }, { executes: false });
  const { runId } = await before.start('mocked', [{}], { mocks: { x: 'small' } });
  await before.close();
  const after = await openTestServices({}, { dataDir: before.dataDir });
  await untilCompleted(after, runId);
  expect(await after.outputs(runId)).toEqual([{ from: 'mock' }]);
  const { run } = await after.runs.rerun(runId, 'all', { kind: 'cli' });
  await untilCompleted(after, run.runId);
  expect(run.mocks).toEqual({ x: 'small' });
  expect(await after.outputs(run.runId)).toEqual([{ from: 'mock' }]);
});

it('runs of one workflow with and without mocks do not meet', async () => {
  const services = await openTestServices({ mocked });
  const [plain, canned] = await Promise.all([
    services.start('mocked', [{}]),
    services.start('mocked', [{}], { mocks: { x: 'small' } }),
  ]);
  await Promise.all([plain, canned].map(({ runId }) => untilCompleted(services, runId)));
  expect(await services.outputs(plain.runId)).toEqual([{ from: 'code' }]);
  expect(await services.outputs(canned.runId)).toEqual([{ from: 'mock' }]);
});

it('a run that asks for a mock that is not there is refused before anything is stored', async () => {
  const services = await openTestServices({ mocked });
  await expect(services.start('mocked', [{}], { mocks: { x: 'smal' } })).rejects.toThrow(
    'Workflow "mocked" does not have the mocks asked for: The node "x" has no mock "smal" (did you mean "small"?)',
  );
  expect(await services.runs.list({})).toEqual([]);
});

it('a run on a virtual clock takes the time of its computing alone', async () => {
  const slow = mocked
    .replace('nodes:', 'nodes:\n  - { id: pause, type: delay, for: 24h }')
    .replace('mocked', 'slow');
  const services = await openTestServices({ slow });
  const { runId } = await services.start('slow', [{}, {}], { clock: 'virtual' });
  await untilCompleted(services, runId);
  expect(await services.outputs(runId)).toEqual([{ from: 'code' }, { from: 'code' }]);
});
