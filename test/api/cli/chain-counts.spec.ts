// The counts of a chain are those of its export, from each of its attempts.
import { expect, it } from 'vitest';
import type { ChainCounts, RunView } from '../../../src-main/contract/index.ts';
import type { RerunWhat } from '../../../src-main/services/runs/reruns.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';

const workflow = `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { score: "=row.size * 2" } }
`;

/** Every seventh of 200 rows fails. */
const sizes = Array.from({ length: 200 }, (_, n) => (n % 7 === 0 ? 0 : n));
const lineOf = (size: number): string => `${JSON.stringify({ size })}\n`;

async function ended(services: TestServices, runId: string): Promise<string> {
  await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  return runId;
}

/** A sample of the rows, whose file is known. */
async function sampleOfFile(services: TestServices): Promise<string> {
  const loaded = await services.workflows.find('scoring');
  if (loaded === undefined) throw new Error('no workflow');
  const readAs = { file: 'sizes.csv', options: {} };
  const newRun = await services.runs.beginRun({ workflow: loaded, origin: { kind: 'app' }, readAs });
  const sample = { newRun, workflowId: 'scoring', choice: services.samples.parse('random:10:7') };
  const { runId } = await services.samples.start(sample, async (writer) => {
    await writer.write(Buffer.from(sizes.map(lineOf).join('')));
    return sizes.length;
  });
  return ended(services, runId);
}

it('runs show, runs list and the export agree on a sample, its rest and fixed rows, whichever run is named', async () => {
  const services = await openTestServices({ scoring: workflow });
  const origin = { kind: 'cli' } as const;
  const sample = await sampleOfFile(services);
  const { run } = await services.samples.runRest(sample, { isAgain: false, origin });
  const rest = await ended(services, run.runId);
  const rerun = async (runId: string, what: RerunWhat): Promise<string> =>
    ended(services, (await services.runs.rerun(runId, what, origin)).run.runId);
  const fixed = await rerun(rest, { lines: lineOf(3) + lineOf(0), numbers: [1, 8] });
  const again = await rerun(sample, 'all');
  await services.close();

  const cli = async (...args: string[]): Promise<string> => {
    const { code, stdout } = await runCli([...args, '--data', services.dataDir]);
    expect(code).toBe(0);
    return stdout;
  };
  const listed = JSON.parse(await cli('runs', 'list', '--json')) as (RunView & { chain: ChainCounts })[];
  const table = await cli('runs', 'list');
  for (const runId of [sample, rest, fixed]) {
    const lines = (await cli('export', runId, '--format', 'ndjson', '--latest', '--failed')).trimEnd();
    const rows = lines.split('\n').map((line) => JSON.parse(line) as { 'failed.node'?: string });
    const failed = rows.filter((row) => row['failed.node'] !== undefined).length;
    expect([rows.length, failed]).toEqual([200, 28]);
    const { chain } = JSON.parse(await cli('runs', 'show', runId, '--json')) as { chain: ChainCounts };
    const counts = { rows: 200, done: 172, failed, notRun: 0, open: failed, attempts: 3 };
    expect(chain).toEqual({ chainId: sample, ...counts, source: 'sizes.csv' });
    expect(listed.find((one) => one.runId === runId)?.chain).toEqual(chain);
    const text = '172 of 200 done · 28 open · 3 attempts';
    expect(await cli('runs', 'show', runId)).toContain(`\nchain     ${text}\n`);
    expect(table.split('\n').find((line) => line.startsWith(runId))).toContain(`  ${text}  `);
  }
  expect(await cli('runs', 'show', sample)).toContain('\nfile      sizes.csv\n');
  expect(listed[0]).toMatchObject({
    runId: again,
    chain: { chainId: again, rows: 200, notRun: 190, attempts: 1 },
  });
}, 60_000);
