// `rowbench export` with columns and rows of the user's choice, over a data folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostedWorkflow } from '../../builders/fake-hosted.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { readWorkbook } from '../../builders/read-workbook.ts';

const scoring = (points: string): string => `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=${points}", name: "=row.name" } }
`;

const echoing = `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: =row }
`;

/** The same at a hosted service. */
const scoreThere: HostedWorkflow = ({ name, size }) =>
  Number(size) > 0 ? { score: Number(size) * 2, name } : undefined;
const kinds: readonly (readonly [kind: string, hostedBy: HostedWorkflow | undefined])[] = [
  ['here', undefined],
  ['at a hosted service', scoreThere],
];

const rows = [
  { name: 'Ada', size: 10 },
  { name: '=1+1', size: 0 },
  { name: 'Cem; "x"', size: 30, note: 'new' },
];

/** A run whose second row failed, and a rerun in which that row is fixed. */
async function runWithFix(hostedBy?: HostedWorkflow) {
  const services = await openTestServices({ scoring: scoring('row.size * 2') }, { hostedBy });
  const done = async (runId: string): Promise<string> => {
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    return runId;
  };
  const run = await done((await services.start('scoring', rows)).runId);
  const edited = { lines: '{"name":"=1+1","size":7}\n', numbers: [2] };
  const rerun = await done((await services.runs.rerun(run, edited, { kind: 'app' })).run.runId);
  await services.close();
  const cli = (...args: string[]) => runCli(['export', ...args, '--data', services.dataDir]);
  return { cli, run, rerun };
}

describe('an export with chosen columns and rows', () => {
  it.each(kinds)(
    'an export has only rows that meet all conditions, and their latest answers: run %s',
    async (_, hostedBy) => {
      const { cli, run } = await runWithFix(hostedBy);
      const large = ['--where', 'input.size > 10'];
      const { stdout, stderr } = await cli(run, '--format', 'csv', ...large);
      expect(stdout).toBe('score,name\n60,"Cem; ""x"""\n');
      expect(stderr).toContain('1 row\n');
      const empty = ['--where', 'input.size = 0'];
      expect((await cli(run, '--format', 'csv', '--latest', ...empty)).stdout).toContain('2,14,');
      expect((await cli(run, '--format', 'json', ...empty)).stdout.trim()).toBe('[]');
      expect(await cli(run, '--where', 'size')).toMatchObject({ code: 2 });
    },
  );

  it('an export has one line per entry of a list, and says how many', async () => {
    const services = await openTestServices({ echo: echoing });
    const lists = [
      { id: 1, tags: ['x', 'y'] },
      { id: 2, tags: [] },
    ];
    const { runId } = await services.start('echo', lists);
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    await services.close();
    const out = join(await temporaryFolder(), 'tags.csv');
    const cli = (...args: string[]) => runCli(['export', runId, ...args, '--data', services.dataDir]);
    const { stderr } = await cli('--out', out, '--explode', 'tags');
    expect(stderr).toBe(`Saved 3 lines of 2 rows to ${out}\n`);
    expect(await readFile(out, 'utf8')).toBe('row,entry,id,tags\n1,1,1,x\n1,2,1,y\n2,,2,\n');
    const workbook = join(await temporaryFolder(), 'tags.xlsx');
    expect((await cli('--out', workbook, '--explode', 'tags')).code).toBe(0);
    expect(await readWorkbook(await readFile(workbook))).toBe(
      '{"row":1,"entry":1,"id":1,"tags":"x"}\n{"row":1,"entry":2,"id":1,"tags":"y"}\n{"row":2,"id":2}\n',
    );
    expect((await cli('--explode', 'tags', '--format', 'ndjson')).stdout).toBe(
      '{"row":1,"entry":1,"id":1,"tags":"x"}\n{"row":1,"entry":2,"id":1,"tags":"y"}\n{"row":2,"id":2}\n',
    );
    expect(await cli('--format', 'csv', '--explode', 'id')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Field "id" of row 1 is not a list but of type number') as string,
    });
  });

  it('an export is sorted by a column, also by one that the file does not have', async () => {
    const { cli, run } = await runWithFix();
    const descending = ['--sort', 'output.score:desc'];
    expect((await cli(run, '--format', 'csv', ...descending)).stdout).toBe(
      'score,name\n60,"Cem; ""x"""\n20,Ada\n',
    );
    const latest = ['--format', 'csv', '--latest', '--column', 'row', '--sort', 'input.size'];
    expect((await cli(run, ...latest)).stdout).toBe('row\n2\n1\n3\n');
    expect(await cli(run, '--sort', 'score')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--sort is a column, such as output.score') as string,
    });
  });

  it('an export without options has outputs alone', async () => {
    const { cli, run } = await runWithFix();
    const { stdout, stderr } = await cli(run, '--format', 'csv');
    expect(stdout).toBe('score,name\n20,Ada\n60,"Cem; ""x"""\n');
    expect(stderr).toBe('2 outputs; 1 row of this completed run without output\n');
    expect((await cli(run)).stdout).toBe(
      '[\n{"score":20,"name":"Ada"},\nnull,\n{"score":60,"name":"Cem; \\"x\\""}\n]\n',
    );
  });

  it('an export without options has the fields of all outputs', async () => {
    const services = await openTestServices({ echo: echoing });
    const { runId } = await services.start('echo', [{ a: 1 }, { a: 1, b: 2 }]);
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    await services.close();
    const { code, stdout } = await runCli(['export', runId, '--format', 'csv', '--data', services.dataDir]);
    expect([code, stdout]).toEqual([0, 'a,b\n1,\n1,2\n']);
  });

  it('an export has input columns under names of their own, and failed rows with their reason', async () => {
    const { cli, run } = await runWithFix();
    const { stdout, stderr } = await cli(run, '--format', 'csv', '--input', '--failed');
    expect(stdout).toBe(
      'row,input.name,input.size,input.note,score,name,failed.node,failed.message\n' +
        '1,Ada,10,,20,Ada,,\n' +
        "2,'=1+1,0,,,,check,no size\n" +
        '3,"Cem; ""x""",30,new,60,"Cem; ""x""",,\n',
    );
    expect(stderr).toBe('3 rows\n');
  });

  it('an export of latest answers has the newest output of each row, with the row that gave it', async () => {
    const { cli, run } = await runWithFix();
    const { stdout } = await cli(run, '--format', 'ndjson', '--input', '--failed', '--latest');
    expect(stdout.split('\n')[1]).toBe(
      '{"row":2,"input.name":"=1+1","input.size":7,"score":14,"name":"=1+1"}',
    );
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });

  it('an export of named columns has them in the order of the option', async () => {
    const { cli, run } = await runWithFix();
    const columns = ['failed.message', 'row', 'input.name'];
    expect((await cli(run, '--format', 'csv', '--failed', '--column', ...columns)).stdout).toBe(
      'failed.message,row,input.name\n,1,Ada\nno size,2,\'=1+1\n,3,"Cem; ""x"""\n',
    );
    const wrong = await cli(run, '--format', 'csv', '--column', 'size');
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('There is no column "size". The columns are "row", "input.name"');
    expect(wrong.stdout).toBe('');
  });

  it('an export has only rows with a text, separated as Excel expects it', async () => {
    const { cli, run } = await runWithFix();
    const args = ['--format', 'csv', '--text', 'cem', '--delimiter', 'semicolon', '--bom'];
    expect((await cli(run, ...args)).stdout).toBe('\uFEFFscore;name\n60;"Cem; ""x"""\n');
  });

  it('an Excel workbook is written to a file, or not at all', async () => {
    const { cli, run } = await runWithFix();
    const folder = await temporaryFolder();
    const file = join(folder, 'scored.xlsx');
    expect((await cli(run, '--format', 'xlsx')).stderr).toContain('name one with --out');
    expect((await cli(run, '--out', file, '--column', 'size')).code).not.toBe(0);
    expect(await readdir(folder)).toEqual([]);
    expect((await cli(run, '--out', file, '--failed')).stderr).toBe(`3 rows written to ${file}\n`);
    expect((await readFile(file)).subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'));
  });
});
