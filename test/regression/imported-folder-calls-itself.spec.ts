// An imported folder whose workflows call each other was found by a server alone: run, test and validate looked for
// the callee beside the caller, where an import does not put it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runCli, type CliResult } from '../builders/run-cli.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const order = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input, testRows: [{ n: 2 }] }
  - { id: tax, type: workflow, workflow: tax, row: { n: "=row.n" } }
  - { id: result, type: output, fields: { tax: "=nodes.tax.tax" } }
`;
const tax = `rowbench: 1
id: tax
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { tax: "=row.n * 10" } }
`;
const test = 'tests: [{ name: a, rows: [{ n: 2 }], expect: { status: completed, rows: [{ tax: 20 }] } }]\n';

let dataDir: string;
let workflow: string;

const rowbench = (...args: string[]): Promise<CliResult> => runCli(args, { env: { ROWBENCH_DATA: dataDir } });
const attempts = (): Promise<CliResult[]> =>
  Promise.all([rowbench('run', workflow), rowbench('test', join(dataDir, 'workflows'))]);

beforeEach(async () => {
  const from = await temporaryFolder();
  dataDir = await temporaryFolder();
  workflow = join(dataDir, 'workflows', 'order', 'order.workflow.yaml');
  await writeFile(join(from, 'order.workflow.yaml'), order('order'));
  await writeFile(join(from, 'order.tests.yaml'), test);
  await writeFile(join(from, 'tax.workflow.yaml'), tax);
  expect((await rowbench('import', from, '--yes')).code).toBe(0);
});

it('an imported workflow that calls another one of its folder runs, is tested and validated', async () => {
  const [ran, tested] = await attempts();
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('20') as string });
  expect(tested).toMatchObject({ code: 0 });
  expect(await rowbench('validate', join(dataDir, 'workflows'))).toMatchObject({ code: 0, stdout: '' });
});

it('the callee must be trusted too, as for a server', async () => {
  await rowbench('trust', '--revoke', 'tax');
  for (const { code, stdout, stderr } of await attempts()) {
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('Workflow "tax" was imported and is not trusted yet.');
  }
  expect(await rowbench('validate', workflow)).toMatchObject({ code: 0, stdout: '' });
});

it("the data folder's own file reaches imports, too", async () => {
  await mkdir(join(dataDir, 'workflows'), { recursive: true });
  const own = join(dataDir, 'workflows', 'mine.workflow.yaml');
  await writeFile(own, order('mine'));
  expect(await rowbench('run', own)).toMatchObject({ code: 0 });
  await rowbench('trust', '--revoke', 'tax');
  expect((await rowbench('run', own)).stderr).toContain('"tax" was imported and is not trusted yet');
});
