// Workflow files named on the command line made calls with the grants of a new data folder. Denials for an import had
// no effect there, and a workflow beside the named file could not be granted anything.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runCli, type CliResult } from '../builders/run-cli.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { startUpstream, type TestUpstream } from '../builders/upstream-server.ts';
import { workflowOf } from '../builders/workflow-set.ts';

const outer = workflowOf(
  'outer',
  '  - { id: sub, type: workflow, workflow: inner, row: "=row" }',
  '{ s: "=nodes.sub.s" }',
);
const tests =
  'tests: [{ name: a, rows: [{}], cassette: a.cassette.json, expect: { status: completed, rows: [{ s: 200 }] } }]\n';
const toLoopback = ['--allow-network', 'loopback'];

let folder: string;
let dataDir: string;
let upstream: TestUpstream;

const rowbench = (...args: string[]): Promise<CliResult> => runCli(args, { env: { ROWBENCH_DATA: dataDir } });
/** A run and a recorded test of a workflow file. */
async function attempts(file: string, ...options: string[]): Promise<CliResult[]> {
  const testsFile = file.replace('.workflow.', '.tests.');
  await writeFile(testsFile, tests);
  return [
    await rowbench('run', file, '--rows', join(folder, 'rows.json'), ...options),
    await rowbench('test', testsFile, '--record', ...options),
  ];
}

beforeEach(async () => {
  [folder, dataDir] = [await temporaryFolder(), await temporaryFolder()];
  upstream = await startUpstream();
  const inner = workflowOf(
    'inner',
    `  - { id: call, type: http, request: { url: "${upstream.url('/')}" } }`,
    '{ s: "=nodes.call.status" }',
  );
  await writeFile(join(folder, 'outer.workflow.yaml'), outer);
  await writeFile(join(folder, 'inner.workflow.yaml'), inner);
  await writeFile(join(folder, 'rows.json'), '[{}]');
});

it("a user's own workflow may call where the command lets it, in workflows beside it too", async () => {
  for (const { code } of await attempts(join(folder, 'outer.workflow.yaml'), ...toLoopback))
    expect(code).toBe(0);
  expect(upstream.calls).toHaveLength(2);
});

it('a refused call of a file that no data folder keeps names advice that works', async () => {
  const [ran, tested] = await attempts(join(folder, 'outer.workflow.yaml'));
  expect([ran?.code, tested?.code]).toEqual([1, 1]);
  expect(ran?.stderr).toMatch(
    /If it may call there: run the command again with "--allow-network loopback"$/m,
  );
  expect(upstream.calls).toEqual([]);
});

it('an import may call where it was granted to, without a word on the command line', async () => {
  expect(await rowbench('import', folder, '--yes')).toMatchObject({ code: 0 });
  for (const id of ['outer', 'inner']) await rowbench('grants', 'allow', id, 'loopback');
  const file = join(dataDir, 'workflows/outer/outer.workflow.yaml');
  for (const { code } of await attempts(file)) expect(code).toBe(0);
  expect(upstream.calls).toHaveLength(2);
});

it('an import may not call where it was denied to, also when others call it', async () => {
  expect(await rowbench('import', folder, '--yes')).toMatchObject({ code: 0 });
  await rowbench('grants', 'allow', 'outer', 'loopback');
  const file = join(dataDir, 'workflows/outer/outer.workflow.yaml');
  for (const options of [[], toLoopback]) {
    const [ran, tested] = await attempts(file, ...options);
    expect([ran?.code, tested?.code]).toEqual([1, 1]);
    expect(ran?.stderr).toContain('which inner was not granted');
    // The option would not help: it speaks for what is named.
    expect(ran?.stderr).toMatch(/"rowbench grants allow inner loopback" \(add --data DIR unless/);
  }
  expect(upstream.calls).toEqual([]);
});
