import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { flowText } from '../../builders/flow-file.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const cliFile = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const tests = `tests:
  - { name: doubles, rows: rows.json, expect: { status: completed, contains: true, rows: [{ double: 4 }] } }
`;

it('rowbench test --watch runs what changed again, until Ctrl-C', async () => {
  const cwd = await temporaryFolder();
  const write = (name: string, text: string): Promise<void> => writeFile(join(cwd, name), text);
  for (const id of ['flow', 'other']) await write(`${id}.workflow.yaml`, flowText().replace('flow', id));
  await write('flow.tests.yaml', tests);
  await write('other.tests.yaml', tests.replace('rows.json', '[{ n: 2 }]'));
  await write('rows.json', '[{"n":2}]');
  const child = spawn(process.execPath, [cliFile, 'test', '--watch'], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const said = async (words: string): Promise<void> => {
    await expect.poll(() => out, { timeout: 15_000 }).toContain(words);
    out = '';
  };
  await said('ok    flow.tests.yaml (1 test)\nok    other.tests.yaml (1 test)\n');
  await write('rows.json', '[{"n":3}]');
  await expect.poll(() => out, { timeout: 15_000 }).toContain('+ 6');
  expect(out).not.toContain('other');
  out = '';
  await write('flow.workflow.yaml', flowText().replace('row.n * 2', '4'));
  await said('ok    flow.tests.yaml (1 test)\n');
  await write('other.more.tests.yaml', tests.replace('rows.json', '[{ n: 2 }]'));
  await said('ok    other.more.tests.yaml (1 test)\n');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
});

it('rowbench test refuses --watch with --json', async () => {
  const { code, stderr } = await runCli(['test', '--watch', '--json'], { cwd: await temporaryFolder() });
  expect([code, stderr]).toEqual([2, 'error: --watch has no end at which --json could be printed\n']);
});
