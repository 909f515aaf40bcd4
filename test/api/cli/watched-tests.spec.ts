import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
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

/**
 * Starts `rowbench test --watch` in a folder. The returned function waits until the command has printed all of the
 * given words since the previous wait.
 */
function watched(cwd: string): (...words: readonly string[]) => Promise<void> {
  const child = spawn(process.execPath, [cliFile, 'test', '--watch'], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  return async (...words) => {
    for (const word of words) await expect.poll(() => out, { timeout: 15_000 }).toContain(word);
    out = '';
  };
}

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

it('rowbench test --watch notices tables, cassettes, expected rows and workflows that are called', async () => {
  const cwd = await temporaryFolder();
  const write = (name: string, text: string): Promise<void> => writeFile(join(cwd, name), text);
  const flow = (id: string, node: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: node, ${node} }
  - { id: out, type: output, fields: { got: =nodes.node } }
`;
  const test = (name: string, more = ''): Promise<void> =>
    write(
      `${name}.tests.yaml`,
      `tests:\n  - { name: t, rows: [{ k: a }], ${more} expect: { status: completed, rows: ${name}.json } }\n`,
    );
  const lookup = 'type: lookup, table: deep/t.csv, key: k, match: =row.k';
  await write('caller.workflow.yaml', flow('caller', 'type: workflow, workflow: callee, row: { k: =row.k }'));
  await write('other-name.workflow.yaml', flow('callee', lookup));
  await write('calling.workflow.yaml', flow('calling', 'type: http, request: { url: "https://a.example/" }'));
  await mkdir(join(cwd, 'deep'));
  await write('deep/t.csv', 'k,v\na,1\n');
  const cassette = (status: number): Promise<void> =>
    write(
      'x.cassette.json',
      `{"rowbench":1,"entries":[{"request":{"method":"GET","url":"https://a.example/"},"responses":[{"status":${status},"text":"x"}]}]}`,
    );
  await cassette(200);
  await test('caller');
  await test('calling', 'cassette: x.cassette.json,');
  await write('caller.json', '[{"got":{"got":{"k":"a","v":"1"}}}]');
  await write('calling.json', '[{"got":0}]');
  const said = watched(cwd);
  await said('ok    caller.tests.yaml (1 test)', '+ ');
  await write('deep/t.csv', 'k,v\na,20\n');
  await said('FAIL  caller.tests.yaml', '"20"');
  await write('caller.json', '[{"got":{"got":{"k":"a","v":"20"}}}]');
  await said('ok    caller.tests.yaml (1 test)');
  await write('other-name.workflow.yaml', flow('renamed', lookup));
  await said('there is no workflow "callee"');
  await write('other-name.workflow.yaml', flow('callee', lookup));
  await said('ok    caller.tests.yaml (1 test)');
  await cassette(500);
  await said('HTTP 500');
});

it('rowbench test refuses --watch with --json', async () => {
  const { code, stderr } = await runCli(['test', '--watch', '--json'], { cwd: await temporaryFolder() });
  expect([code, stderr]).toEqual([2, 'error: --watch has no end at which --json could be printed\n']);
});
