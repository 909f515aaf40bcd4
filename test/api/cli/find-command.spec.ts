// `rowbench runs find` over a data folder, and its procedure.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openControl } from '../../../src-main/app/connect.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import type { HostedWorkflow } from '../../builders/fake-hosted.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';

const workerScript = fileURLToPath(new URL('../../../dist/row-worker.cjs', import.meta.url));

const workflow = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { label: "=row.name + '!'" } }
`;

/** The same at a hosted service. */
const greetThere: HostedWorkflow = ({ name }) => ({ label: `${String(name)}!` });

async function storedRuns(hostedBy?: HostedWorkflow) {
  const workflows = { greet: workflow('greet'), other: workflow('other') };
  const services = await openTestServices(workflows, { hostedBy });
  const ids: string[] = [];
  for (const [id, name] of [
    ['greet', 'Ada L.'],
    ['greet', 'Bob'],
    ['other', 'ada "quoted"\u001b[31m'],
  ] as const) {
    const { runId } = await services.start(id, [{ name: 'first' }, { name }]);
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    ids.push(runId);
  }
  await services.close();
  const { dataDir } = services;
  return { ids, dataDir, cli: (...args: string[]) => runCli(['runs', 'find', ...args, '--data', dataDir]) };
}

describe('rowbench runs find', () => {
  it.each([
    ['here', undefined],
    ['at a hosted service', greetThere],
  ] as const)(
    'values of rows and outputs are listed with run, row and column, those of the newest run first: runs %s',
    async (_, hostedBy) => {
      const { cli, ids } = await storedRuns(hostedBy);
      const { code, stdout, stderr } = await cli('ADA');
      expect(code).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      expect(lines[0]).toMatch(/^RUN +ROW +COLUMN +VALUE$/);
      expect(lines.slice(1).map((line) => line.split(/ {2,}/))).toEqual([
        [ids[2], '2', 'input.name', 'ada \"quoted\" [31m'],
        [ids[2], '2', 'output.label', 'ada \"quoted\" [31m!'],
        [ids[0], '2', 'input.name', 'Ada L.'],
        [ids[0], '2', 'output.label', 'Ada L.!'],
      ]);
      expect(stderr).toBe('4 values found in 3 runs.\n');
    },
  );

  it('a workflow, one side and a limit narrow the search', async () => {
    const { cli, ids } = await storedRuns();
    const { stdout } = await cli('ada', '--workflow', 'greet', '--in', 'output', '--json');
    expect(JSON.parse(stdout)).toEqual({
      hits: [
        {
          runId: ids[0],
          workflowId: 'greet',
          row: 2,
          label: 'Ada L.',
          column: { of: 'output', name: 'label' },
          before: '',
          match: 'Ada',
          after: ' L.!',
        },
      ],
      runs: 2,
      runsSearched: 2,
      isComplete: true,
      unreadableRuns: [],
      largeLines: 0,
    });
    const limited = await cli('first', '--limit', '3');
    expect(limited.stdout.trimEnd().split('\n')).toHaveLength(1 + 3);
    expect(limited.stderr).toBe('3 values found; 1 of 3 runs searched to the end.\n');
  });

  it('a text that is nowhere, or only the name of a column, is not found', async () => {
    const { cli } = await storedRuns();
    for (const text of ['nowhere', 'name', 'label'])
      expect(await cli(text)).toEqual({ code: 0, stdout: '', stderr: 'Nothing found in 3 runs.\n' });
  });

  it('bad input is a usage error', async () => {
    const { cli } = await storedRuns();
    for (const args of [[''], ['x', '--limit', '0'], ['x', '--limit', 'all'], ['x', '--in', 'both'], []])
      expect((await cli(...args)).code).toBe(2);
    expect(await cli('x'.repeat(501))).toMatchObject({
      code: 2,
      stderr: 'error: The text may have up to 500 characters\n',
    });
  });
});

describe('the procedure run.find', () => {
  it('refuses an empty text and a cursor that is none', async () => {
    const { dataDir } = await storedRuns();
    const options = { dataDir, workerScript, workflowFolders: [], log: silentLog };
    const control = await openControl(options);
    const { call } = control;
    await expect(async () => call('run.find', { text: '', limit: 1 })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const cursor = { runId: 'x', of: 'input', position: 0 } as const;
    await expect(async () => call('run.find', { text: 'a', limit: 1, cursor })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await control.close();
  });
});
