// Each command on results: its help has examples, and the fields of its JSON stay as scripts know them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSample } from '../../../src-main/domain/rows/row-sample.ts';
import type { HostedWorkflow } from '../../builders/fake-hosted.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { runCli } from '../../builders/run-cli.ts';

const workflow = `rowbench: 1
id: scoring
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.size > 0", message: "no size" }
  - { id: result, type: output, after: [check], fields: { size: "=row.size", score: "=row.size * 2" } }
`;
const rows = [{ size: 10 }, { size: 0 }, { size: 30 }];
const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const runFields = 'runId workflowId status origin rows rowsDone rowsFailed acceptedAt startedAt finishedAt';

/** Commands, and the fields of their JSON; of a list, those of its first member. */
const commands: readonly (readonly [command: string, fields: string])[] = [
  [
    'run FILE --rows ROWS --sample 2 --json',
    'status workflowId rows rowsDone rowsFailed sample startedAt finishedAt failures readAs outputs',
  ],
  [
    'export RUN --format json --input --failed --latest --sort output.score:desc',
    'row input.size size score',
  ],
  [
    'runs stats RUN --column output.score --latest --json',
    'column rows filled empty nulls missing large types distinct top numbers',
  ],
  ['runs rows RUN --sort output.score:desc --json', 'position row input output state ms bytes'],
  ['runs rows SAMPLE --latest --json', 'position row input output state ms bytes'],
  [
    'runs diff RUN SAMPLE --json',
    'firstRunId secondRunId firstAttempts secondAttempts isSameWorkflow matching counts repeatedKeys fields rows',
  ],
  ['runs find 30 --json', 'hits runs runsSearched isComplete unreadableRuns largeLines'],
  ['runs label RUN --name First --tag baseline --json', `${runFields} labels`],
  ['runs pin RUN --json', `${runFields} labels`],
  ['runs unpin RUN --json', `${runFields} labels`],
  ['runs rest SAMPLE --json', `${runFields} rerunOf rerunKind chainId part isRest`],
];

const named = (command: string): string => /^(runs )?\w+/.exec(command)?.[0] ?? '';

it.each(commands)('the help of %s has examples and all options', async (command) => {
  const { code, stdout } = await runCli([...named(command).split(' '), '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain(`Examples:\n  $ rowbench ${named(command)} `);
  for (const [option] of command.matchAll(/--[\w-]+/g)) expect(stdout).toContain(option);
});

/** The same at a hosted service. */
const scoreThere: HostedWorkflow = ({ size }) =>
  Number(size) > 0 ? { size, score: Number(size) * 2 } : undefined;

it.each([
  ['here', undefined],
  ['at a hosted service', scoreThere],
] as const)(
  'the JSON of each command has the fields that scripts know: runs %s',
  { timeout: 40_000 },
  async (_, hostedBy) => {
    const services = await openTestServices({ scoring: workflow }, { hostedBy });
    const inputs = hostedBy === undefined ? {} : { inputs: { hosted: { connection: 'prod' } } };
    const { dataDir } = services;
    const run = await services.start('scoring', rows);
    const loaded = await services.workflows.find('scoring');
    if (loaded === undefined) throw new Error('no workflow');
    const newRun = await services.runs.beginRun({ workflow: loaded, origin: { kind: 'app' }, ...inputs });
    const sample = await services.samples.start(
      { newRun, workflowId: 'scoring', choice: parseSample('2', () => 1) },
      async (writer) => {
        await writer.write(Buffer.from(lines));
        return rows.length;
      },
    );
    for (const { runId } of [run, sample])
      await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
    await services.close();
    const words: Readonly<Record<string, string>> = {
      RUN: run.runId,
      SAMPLE: sample.runId,
      FILE: join(dataDir, 'workflows', 'scoring.workflow.yaml'),
      ROWS: join(dataDir, 'rows.ndjson'),
    };
    await writeFile(words['ROWS'] ?? '', lines);
    const found: (readonly [string, string])[] = [];
    for (const [command] of commands) {
      const args = command.split(' ').map((word) => words[word] ?? word);
      const { code, stdout, stderr } = await runCli([...args, '--data', dataDir]);
      expect([command, code, stderr]).toEqual([command, 0, expect.any(String)]);
      const value = JSON.parse(stdout) as object;
      found.push([command, Object.keys((Array.isArray(value) ? value[0] : value) as object).join(' ')]);
    }
    const copy = await temporaryFolder();
    expect(await runCli(['backup', join(copy, 'rowbench.db'), '--data', dataDir])).toMatchObject({ code: 0 });
    const shown = await Promise.all(
      [dataDir, copy].map((data) => runCli(['runs', 'show', run.runId, '--json', '--data', data])),
    );
    expect(shown[1]?.stdout).toBe(shown[0]?.stdout);
    // Where the run is stands in each record of a run.
    const comparable = found.map(([command, fields]) => [command, fields.replace(' hosted', '')]);
    expect(comparable).toEqual(commands);
    expect(found.filter(([, fields]) => fields.includes('hosted'))).toHaveLength(
      hostedBy === undefined ? 0 : 4,
    );
  },
);
