// `rowbench runs stats` and `rowbench runs diff` over a data folder.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shortId, type RunComparisonView } from '../../../src-main/contract/index.ts';
import type { ColumnStatistics } from '../../../src-main/domain/query/column-statistics.ts';
import { differingRows } from '../../../src-main/domain/query/compare-runs.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const scoring = (points: string): string => `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=${points}", label: "=row.name" } }
`;

const rows = [
  { name: 'Ada', size: 10 },
  { name: 'Bob', size: 20 },
  { name: 'Cem', size: 0 },
  { name: '<b>| @all #1 http://a.example www.a.example', size: 40 },
];

/** A run, a second one after the constant of one condition was changed, and a rerun of two rows of the first. */
async function storeRuns(dataDir: string) {
  const services = await openTestServices({ scoring: scoring('row.size * 2') }, { dataDir });
  const done = async (runId: string): Promise<string> => {
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    return runId;
  };
  const first = await done((await services.start('scoring', rows)).runId);
  await services.write('scoring', scoring('row.size > 15 ? row.size * 3 : row.size * 2'));
  const hash = async () => (await services.workflows.find('scoring'))?.hash;
  await expect.poll(hash).not.toBe((await services.runs.get(first)).run.workflowHash);
  const changed = rows.map(({ name, size }) => ({
    name: name.startsWith('<') ? `${name}!` : name,
    size: Math.max(1, size),
  }));
  const second = await done((await services.start('scoring', changed)).runId);
  const rerun = await done((await services.runs.rerun(first, 'failed', { kind: 'app' })).run.runId);
  await services.close();
  const cli = (...args: string[]) => runCli(['runs', ...args, '--data', services.dataDir]);
  const exported = (...args: string[]) => runCli(['export', ...args, '--data', services.dataDir]);
  return { cli, exported, first, second, rerun };
}

describe('questions over the rows of stored runs', () => {
  let home: string | undefined;
  let stored: ReturnType<typeof storeRuns> | undefined;
  /** The same runs for all tests, whose commands only read. */
  const storedRuns = async () => {
    home ??= await mkdtemp(join(tmpdir(), 'rowbench-test-'));
    return (stored ??= storeRuns(join(home, 'data')));
  };
  afterAll(async () => {
    if (home !== undefined) await rm(home, { recursive: true, force: true, maxRetries: 3 });
  });

  it('statistics of all columns are a table, and JSON for scripts', async () => {
    const { cli, first } = await storedRuns();
    const { stdout } = await cli('stats', first);
    expect(stdout).toMatch(/^COLUMN +TYPE +FILLED +EMPTY +NULL +MISSING +DISTINCT +VALUES\n/);
    expect(stdout).toMatch(/\ninput\.size +number +4 +0 +0 +0 +4 +0 to 40, mean 17\.5, median 15\n/);
    expect(stdout).toMatch(/\noutput\.score +number +3 +0 +0 +1 +3 /);
    const json = await cli('stats', first, '--column', 'output.label', '--json');
    const [label] = JSON.parse(json.stdout) as ColumnStatistics[];
    expect(label).toMatchObject({ column: { of: 'output', name: 'label' }, rows: 4, filled: 3, missing: 1 });
  });

  it('rows and statistics of the latest answers are those of a run and its reruns, with the run of each', async () => {
    const { cli, first, rerun } = await storedRuns();
    const { stdout } = await cli('rows', first, '--latest', '--sort', 'output.score:desc', '--limit', '2');
    expect(stdout).toMatch(/^ROW +RUN +STATE /);
    expect(stdout).toContain(`4    ${shortId(first)}`);
    const failed = await cli('rows', first, '--latest', '--failed', '--json');
    expect(JSON.parse(failed.stdout)).toMatchObject([{ row: 3, runId: rerun, state: 'failed' }]);
    const json = await cli('stats', first, '--latest', '--json');
    expect((JSON.parse(json.stdout) as ColumnStatistics[])[0]).toMatchObject({ rows: 4 });
    expect((await cli('stats', rerun, '--latest', '--json')).stdout).toBe(json.stdout);
  });

  it('a column that the run does not have is named, with those that it has', async () => {
    const { cli, exported, first, second } = await storedRuns();
    const { code, stderr } = await cli('stats', first, '--column', 'output.points');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'The run has no column "output.points"; its columns are input.name, input.size, output.score, output.label',
    );
    for (const args of [
      ['rows', first, '--where', 'input.sise > 1'],
      ['rows', first, '--sort', 'output.score:down'],
      ['diff', first, second, '--by', 'input.nmae'],
    ]) {
      const refused = await cli(...args);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('The run has no column')]);
    }
    for (const option of [
      ['--where', 'output.points > 1'],
      ['--sort', 'input.sise'],
    ]) {
      const refused = await exported(first, ...option);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('The run has no column');
    }
    const known = await exported(first, '--where', 'input.size > 10', '--format', 'ndjson');
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('"score":40') as unknown });
    const ignored = await cli('diff', first, second, '--ignore', 'scoer');
    expect(ignored).toMatchObject({ code: 0, stderr: 'No output of these runs has a field "scoer"\n' });
  });

  it('rows that meet all conditions are a sorted table, and JSON for scripts', async () => {
    const { cli, first } = await storedRuns();
    const where = ['--where', 'input.size > 10', '--where', 'output.label is not empty'];
    const { stdout, stderr } = await cli('rows', first, ...where, '--sort', 'output.score:desc');
    expect(stdout).toMatch(
      /^ROW +STATE +input\.name +input\.size +output\.score +output\.label\n4 +done .* 80 /,
    );
    expect(stdout).toMatch(/\n2 +done +Bob +20 +40 +Bob\n$/);
    expect(stderr).toBe('2 rows\n');
    const failed = await cli('rows', first, '--failed', '--json');
    expect(JSON.parse(failed.stdout)).toMatchObject([
      { row: 3, state: 'failed', failure: { nodeId: 'check', message: 'no size' } },
    ]);
    expect((await cli('rows', first, '--limit', '1')).stderr).toBe('1 of 4 rows\n');
  });

  it.each([
    [['--where', 'score > 50'], '--where is COLUMN OPERATOR VALUE'],
    [['--where', 'output.score > [1]'], '--where is COLUMN OPERATOR VALUE'],
    [['--sort', 'score'], '--sort is a column'],
    [['--limit', '0'], '--limit must be a whole number from 1 to 10,000'],
  ])('%j is a usage error', async (options, message) => {
    const { cli, first } = await storedRuns();
    const { code, stderr } = await cli('rows', first, ...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('a column that is named in no known way is a usage error', async () => {
    const { cli, first } = await storedRuns();
    expect(await cli('stats', first, '--column', 'score')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('input.NAME or output.NAME') as string,
    });
  });

  it('after a change of one constant, exactly the rows that it touches differ', async () => {
    const { cli, first, second } = await storedRuns();
    const { code, stdout } = await cli('diff', first, second);
    expect(code).toBe(0);
    expect(stdout).toContain('The workflow was changed between them.');
    expect(stdout).toContain('1 same, 2 changed, 1 fixed\n');
    expect(stdout).toMatch(/\nscore +2 rows\n/);
    expect(stdout).toMatch(/\n2 +changed +score: 40 → 60 \(\+20\)\n/);
    expect(stdout).toMatch(/\n3 +fixed\n/);
  });

  it('a rerun is compared by row numbers, and rows it does not have are only in the first run', async () => {
    const { cli, first, rerun } = await storedRuns();
    const { stdout } = await cli('diff', first, rerun, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      matching: 'number',
      counts: { onlyInFirst: 3, bothFailed: 1, changed: 0 },
    } satisfies Partial<Record<keyof RunComparisonView, unknown>>);
  });

  it('the exit code tells a script whether rows changed or fail anew', async () => {
    const { cli, first, second } = await storedRuns();
    const codeOf = async (...args: string[]) => (await cli('diff', ...args)).code;
    expect(await codeOf(first, second, '--fail-on', 'changed')).toBe(1);
    expect(await codeOf(first, second, '--fail-on', 'failing')).toBe(0);
    expect(await codeOf(second, first, '--fail-on', 'failing')).toBe(1);
    expect(await codeOf(first, first, '--fail-on', 'changed')).toBe(0);
    expect(await codeOf(first, second, '--fail-on', 'nothing')).toBe(2);
  });

  it('the exit code tells a script that no row could be compared', async () => {
    const { cli, first, rerun } = await storedRuns();
    const compare = (...args: string[]) => cli('diff', first, rerun, '--by', 'output.score', ...args);
    expect((await compare()).code).toBe(0);
    for (const failOn of ['failing', 'changed'])
      expect(await compare('--fail-on', failOn)).toMatchObject({
        code: 1,
        stderr: 'error: no row is in both runs with a result: nothing was compared\n',
      });
  });

  it('fields can be ignored, or compared with a tolerance', async () => {
    const { cli, first, second } = await storedRuns();
    const changedBy = async (...rules: string[]) => {
      const { stdout } = await cli('diff', first, second, '--json', ...rules);
      return (JSON.parse(stdout) as RunComparisonView).counts.changed;
    };
    expect(await changedBy('--ignore', 'score')).toBe(1);
    expect(await changedBy('--ignore', 'score', 'label')).toBe(0);
    expect(await changedBy('--tolerance', 'score=20')).toBe(1);
    expect(await changedBy('--ignore-case', 'label')).toBe(2);
    for (const tolerance of ['score', 'score=', '=1', 'score=-1', 'score=x'])
      expect((await cli('diff', first, second, '--tolerance', tolerance)).code).toBe(2);
  });

  it('rows are matched by a column that a person names', async () => {
    const { cli, first, second } = await storedRuns();
    const { stdout } = await cli('diff', first, second, '--by', 'input.name', '--limit', '1');
    expect(stdout).toContain('matched by input.name.');
    expect(stdout).toContain('\n1 more row differs.');
  });

  it('Markdown holds no markup of the rows themselves', async () => {
    const { cli, first, second } = await storedRuns();
    const { stdout } = await cli('diff', first, second, '--markdown');
    expect(stdout).toContain('### Differences between two runs');
    expect(stdout).toMatch(/\| 2 \| changed \| score: 40 → 60 \(\+20\) \|/);
    expect(stdout).toContain('&#64;&#8203;all &#35;&#8203;1 http:&#8203;//a.example www&#8203;.a.example');
    expect(stdout).not.toMatch(/<b>|@all/);
  });

  it('all differences are written to a file, a line for each changed field', async () => {
    const { cli, first, second } = await storedRuns();
    const folder = await temporaryFolder();
    const path = join(folder, 'differences.csv');
    const { stdout } = await cli('diff', first, second, '--out', path, '--limit', '0');
    expect(stdout).toContain('changed');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe('row,other_row,result,field,before,after');
    expect(lines).toContain('2,2,changed,score,40,60');
    const { counts, fields } = JSON.parse(
      (await cli('diff', first, second, '--json')).stdout,
    ) as RunComparisonView;
    const changes = fields.reduce((sum, { rows }) => sum + rows, 0);
    expect(lines).toHaveLength(1 + changes + differingRows(counts) - counts.changed);
    expect(await cli('diff', first, second, '--out', join(folder, 'none', 'x.csv'))).toMatchObject({
      code: 2,
    });
  });

  it('a run that does not exist is named', async () => {
    const { cli, first } = await storedRuns();
    for (const pair of [
      [first, 'ffffffff'],
      ['ffffffff', first],
    ])
      expect(await cli('diff', ...pair)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no run "ffffffff"') as string,
      });
    expect(await cli('stats', 'ffffffff')).toMatchObject({ code: 1 });
  });
});
