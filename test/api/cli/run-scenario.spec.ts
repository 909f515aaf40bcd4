import { expect, it } from 'vitest';
import { writeFlow } from '../../builders/flow-file.ts';
import { runCli, type CliResult } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function run(scenario: string): Promise<CliResult> {
  const folder = await temporaryFolder();
  return runCli(['run', await writeFlow(folder), '--scenario', scenario], { cwd: folder });
}

it('rowbench run --scenario fails the row that it names', async () => {
  const { code, stdout, stderr } = await run('fails on row=2');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('failed on row 2: scenario fail-row');
});

it('a scenario that is none is refused with all that is wrong', async () => {
  const { code, stderr } = await run('slwo=1s,seed=x');
  expect(code).toBe(2);
  expect(stderr).toContain('there is no "slwo" (did you mean "slow"?); "seed" needs a whole number');
});

it('a pause that nobody could end is refused', async () => {
  const { code, stderr } = await run('paused midway');
  expect(code).toBe(2);
  expect(stderr).toContain('a run without a server cannot be resumed');
});
