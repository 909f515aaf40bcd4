// `rowbench run --sample` and `rowbench runs rest`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli, type CliResult } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workflow = `rowbench: 1
id: scoring
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n", country: "=row.country" } }
`;

const rows = Array.from({ length: 30 }, (_, n) => ({ n, country: ['de', 'fr', 'it'][n % 3] }));

async function fileRun() {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'scoring.workflow.yaml'), workflow);
  await writeFile(join(folder, 'rows.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  return (...args: string[]): Promise<CliResult> =>
    runCli(['run', 'scoring.workflow.yaml', '--rows', 'rows.ndjson', '--format', 'ndjson', ...args], {
      cwd: folder,
    });
}

const numbersIn = ({ stdout }: CliResult): number[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { n: number }).n);

describe('rowbench run --sample', () => {
  it.each(['7', 'random:7', 'random:7:5', 'each:country'])('%s and --rest are all rows', async (sample) => {
    const run = await fileRun();
    const first = await run('--sample', sample);
    expect(first.code).toBe(0);
    const [, left, choice = ''] =
      /\n(\d+) rows left, about .+: run them with --sample (\S+) --rest\n$/.exec(first.stderr) ?? [];
    const sampled = numbersIn(first);
    expect(Number(left)).toBe(30 - sampled.length);
    const rest = await run('--sample', choice, '--rest');
    expect(rest.stderr).not.toContain('left');
    expect([...sampled, ...numbersIn(rest)].sort((one, other) => one - other)).toEqual(
      rows.map(({ n }) => n),
    );
  });

  it('prints what is left as JSON', async () => {
    const { stdout } = await (await fileRun())('--sample', '5', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 5,
      sample: { choice: 'first:5', restRows: 25, estimate: { ms: expect.any(Number) as number } },
    });
  });

  it.each([
    ['0', 2, 'A sample has at least 1 row'],
    ['many', 2, 'write 20, random:20 or each:COLUMN'],
    ['31', 1, 'there are only 30'],
    ['each:nope', 1, 'No row has a column "nope"'],
  ])('%s is refused in plain words', async (sample, code, problem) => {
    const result = await (await fileRun())('--sample', sample);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(problem) as string });
  });

  it('is needed for --rest', async () => {
    expect(await (await fileRun())('--rest')).toMatchObject({ code: 2 });
  });
});

describe('rowbench runs rest', () => {
  it('runs the rest once, and again on request', async () => {
    const services = await openTestServices({ scoring: workflow });
    const loaded = await services.workflows.find('scoring');
    if (loaded === undefined) throw new Error('no workflow');
    const newRun = await services.runs.beginRun({ workflow: loaded, origin: { kind: 'app' } });
    const { runId } = await services.samples.start(
      { newRun, workflowId: 'scoring', choice: services.samples.parse('4') },
      async (writer) => {
        await writer.write(Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
        return rows.length;
      },
    );
    await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    await services.close();
    const runs = (...args: string[]) => runCli(['runs', ...args, '--data', services.dataDir]);
    expect((await runs('show', runId)).stdout).toContain('sample    first:4 of 30 rows\n');
    const first = await runs('rest', runId);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/: 26 rows, about /) as string });
    expect(await runs('rest', runId)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The rest of this sample has been run') as string,
    });
    const again = JSON.parse((await runs('rest', runId, '--again', '--json')).stdout) as object;
    expect(again).toMatchObject({ rows: 26, rerunOf: runId, isRest: true, origin: 'cli' });
    const [restId = ''] = first.stderr.split(':');
    expect(await runs('rest', restId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The run is no sample') as string,
    });
  });
});
