// "run --record FILE" took a workflow's file for the cassette. The run failed because of that, and yet the command
// reported that the answers were recorded there.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flowText, writeFlow } from '../builders/flow-file.ts';
import { runCli } from '../builders/run-cli.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

it.each([['--record'], ['--replay']])(
  '%s refuses a workflow file, with or without another',
  async (option) => {
    const cwd = await temporaryFolder();
    const file = await writeFlow(cwd);
    await writeFile(join(cwd, 'other.workflow.yaml'), flowText());
    for (const args of [
      ['run', option, file],
      ['run', option, 'other.workflow.yaml', file],
    ]) {
      const { code, stdout, stderr } = await runCli(args, { cwd });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`is no cassette. Put the workflow first, and ${option} behind it`);
    }
    expect(await readFile(file, 'utf8')).toBe(flowText());
  },
);

it('a run that recorded nothing says nothing of a recording', async () => {
  const cwd = await temporaryFolder();
  const file = await writeFlow(cwd);
  await writeFile(join(cwd, 'notes.json'), '[1]');
  const failed = await runCli(['run', file, '--record', 'notes.json'], { cwd });
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(/^error: The cassette notes\.json cannot be read: [^\n]+\n$/);
  expect(await readFile(join(cwd, 'notes.json'), 'utf8')).toBe('[1]');
});
