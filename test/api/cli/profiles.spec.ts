// Profiles on the command line: run, test and validate.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const flow = `rowbench: 1
id: flow
vars: { base: https://a.example, tenant: null }
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }] }
  - { id: out, type: output, fields: { got: '{{ vars.base }}/{{ vars.tenant }}/{{ row.n }}' } }
`;
const files = {
  'flow.workflow.yaml': flow,
  'flow.tests.yaml': `tests:
  - { name: one, rows: [{ n: 1 }], expect: { status: completed, rows: [{ got: https://s.example/x/1 }] } }
`,
  'profiles.yaml': `staging:
  vars: { base: https://s.example, tenant: x }
half: { vars: { base: https://h.example } }
`,
};

async function folder(changes: Readonly<Record<string, string>> = {}) {
  const cwd = await temporaryFolder();
  for (const [name, text] of Object.entries({ ...files, ...changes })) await writeFile(join(cwd, name), text);
  return (...args: readonly string[]) => runCli(args, { cwd });
}

it('a run has the values of the profile that it names', async () => {
  const run = await folder();
  const { stdout, code } = await run('run', 'flow.workflow.yaml', '--profile', 'staging', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({
      profile: 'staging',
      vars: { base: 'https://s.example', tenant: 'x' },
      outputs: [{ got: 'https://s.example/x/1' }],
    }),
  ]);
  const unset = await run('run', 'flow.workflow.yaml');
  expect([unset.code, unset.stderr]).toEqual([
    1,
    expect.stringContaining('line 3: the variable "tenant" has no value'),
  ]);
  const unknown = await run('run', 'flow.workflow.yaml', '--profile', 'stagin');
  expect(unknown.stderr).toContain(
    'There is no profile "stagin" (did you mean "staging"?); there are: staging, half',
  );
});

it('tests run with defaults, or with the profile that the command names', async () => {
  const run = await folder();
  const plain = await run('test');
  expect([plain.code, plain.stdout]).toEqual([
    1,
    expect.stringContaining('the variable "tenant" has no value'),
  ]);
  expect((await run('test', '--profile', 'staging')).code).toBe(0);
});

it('validate checks the file of profiles, and a workflow with a profile', async () => {
  const run = await folder();
  expect(await run('validate')).toMatchObject({
    code: 0,
    stderr: '1 workflow, 1 tests file and 1 profiles file checked: no issues\n',
  });
  expect((await run('validate', 'flow.workflow.yaml', '--profile', 'staging')).code).toBe(0);
  expect(await run('validate', 'flow.workflow.yaml', '--profile', 'half')).toMatchObject({
    code: 1,
    stdout:
      'flow.workflow.yaml:3:1: The variable "tenant" has no value, neither here nor in the profile "half"\n',
  });
  const broken = await folder({ 'profiles.yaml': 'staging:\n  vars:\n    bse: https://s.example\n' });
  expect(await broken('validate', 'flow.workflow.yaml')).toMatchObject({
    code: 1,
    stdout: 'profiles.yaml:3:5: No workflow in this folder has a variable "bse" (did you mean "base"?)\n',
  });
});
