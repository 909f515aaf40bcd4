import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callProgram } from '../../builders/call-program.ts';
import { writeFlow } from '../../builders/flow-file.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const testsOf = (test: string): string => `tests:\n  - { name: a, ${test}, expect: { status: completed } }\n`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  const flow = await writeFlow(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  expect(flow).toBe(join(folder, 'flow.workflow.yaml'));
  return folder;
}

it('validate checks tests files, with the mocks of the workflow beside them', async () => {
  const folder = await folderWith({
    'flow.tests.yaml': testsOf('rows: [], mocks: { chek: x }'),
    'flow.large.tests.yaml': testsOf('rows: []'),
  });
  const { code, stdout, stderr } = await callProgram(['validate', folder]);
  expect([code, stderr]).toEqual([1, '1 workflow and 2 tests files checked: 1 error\n']);
  expect(stdout).toBe(
    `${join(folder, 'flow.tests.yaml')}:2:35: There is no node "chek" (did you mean "check"?)\n`,
  );
});

it('validate finds rows that are not there: a warning for test rows, an error for a test', async () => {
  const folder = await folderWith({
    'flow.tests.yaml': testsOf('rows: more/rows.csv'),
    'other.workflow.yaml': `rowbench: 1
id: other
nodes:
  - { id: input, type: input, testRows: gone.json }
  - { id: result, type: output, fields: { n: "=row.n" } }
`,
  });
  const found = await callProgram(['validate', folder]);
  expect([found.code, found.stdout]).toEqual([
    1,
    `${join(folder, 'flow.tests.yaml')}:2:22: rows: more/rows.csv is not there\n` +
      `${join(folder, 'other.workflow.yaml')}:4:41: warning: testRows: gone.json is not there\n`,
  ]);
  await mkdir(join(folder, 'more'));
  await writeFile(join(folder, 'more/rows.csv'), 'n\n1\n');
  await writeFile(join(folder, 'gone.json'), '[]');
  const fixed = await callProgram(['validate', '--strict', folder]);
  expect([fixed.code, fixed.stdout]).toEqual([0, '']);
});
