// A file of rows reads alike on the command line, in tests and in the app: the same rows, and the same remarks.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-main/base/json-value.ts';
import { parseReadOptions } from '../../../src-main/domain/rows/files/read-options.ts';
import { remarkLine } from '../../../src-main/domain/rows/files/read-remarks.ts';
import { readRowsFile, type LoadSheet } from '../../../src-renderer/state/entry/files/read-rows-file.ts';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { rowFileCases, type RowFileCase } from '../../builders/row-file-cases.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const echo = (fields = '{}'): string => `rowbench: 1
id: echo
onRowError: skip
nodes:
  - { id: input, type: input, fields: ${fields} }
  - { id: result, type: output, fields: =row }
`;

async function folderOf({ file, content, rows, fields, read }: RowFileCase): Promise<string> {
  const cwd = await temporaryFolder();
  const tests = [
    {
      name: 'reads the file',
      rows: read === undefined ? file : { file, ...read },
      expect: { status: 'completed', rows },
    },
  ];
  const files = {
    'echo.workflow.yaml': echo(fields),
    'echo.tests.yaml': JSON.stringify({ tests }),
    [file]: content,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  return cwd;
}

const wholeLine = ({ file, remarks }: RowFileCase): string => (remarks === '' ? '' : `${file}: ${remarks}`);

describe.each(rowFileCases)('$title', (each) => {
  const { file, rows, read: options = {} } = each;

  it('reads alike on the command line', async () => {
    const cwd = await folderOf(each);
    const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const run = ['run', 'echo.workflow.yaml', '--rows', file, '--format', 'ndjson', ...flags];
    const { code, stdout, stderr } = await runCli(run, { cwd });
    expect([
      code,
      stdout
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ]).toEqual([0, rows]);
    const [first = ''] = stderr.split('\n');
    const [line = '', decidedBy] = first.startsWith('Completed') ? [] : first.split('. To decide it: ');
    expect(line).toBe(wholeLine(each));
    if (each.choice !== undefined) expect(decidedBy).toBe(each.choice.flags);
  });

  it('reads alike in a test', async () => {
    const cwd = await folderOf(each);
    const { code, stdout } = await runCli(['test', '--json'], { cwd });
    const { files } = JSON.parse(stdout) as { files: [{ tests: [{ status: string; read?: string }] }] };
    const [{ status, read = '' }] = files[0].tests;
    const decidedBy = each.choice === undefined ? '' : `. To decide it: ${each.choice.keys}`;
    expect([code, status, read]).toEqual([0, 'passed', `${wholeLine(each)}${decidedBy}`]);
  });
});

let app: TestApp;
let control: ControlCalls;
let readSheet: LoadSheet;

beforeAll(async () => {
  app = await startTestApp({ workflows: { echo: echo() }, limits: 'off' });
  control = await controlOf(app);
  const headers = { 'content-type': 'application/octet-stream' };
  readSheet = async (file) => {
    const { text } = await control.send('/sheet', {
      body: new Uint8Array(await file.arrayBuffer()),
      headers,
    });
    return new Blob([text]).stream();
  };
});

afterAll(() => app.close());

// The app converts cells after it has read them, as the user chooses.
it.each(rowFileCases.filter(({ fields }) => fields === undefined))(
  '$title reads alike in the app',
  async (each) => {
    const { file, content, rows, read: options = {} } = each;
    const bytes = typeof content === 'string' ? content : new Uint8Array(content);
    const read = await readRowsFile(new File([bytes], file), {
      maxRows: 100,
      readSheet,
      options: parseReadOptions(options),
    });
    expect(read.rows).toEqual(rows);
    expect(read.report.remarks.length === 0 ? '' : remarkLine(file, read.report)).toBe(wholeLine(each));
  },
);

async function exportedWorkbook(rows: readonly JsonObject[]): Promise<Uint8Array> {
  const runId = await app.run('echo', rows);
  await expect
    .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  const answer = await fetch(`${app.url}/_rowbench/v1/runs/${runId}/export`, {
    method: 'POST',
    headers: { 'x-rowbench-token': control.token, 'content-type': 'application/json' },
    body: JSON.stringify({ options: { format: 'xlsx' } }),
  });
  return new Uint8Array(await answer.arrayBuffer());
}

it('outputs that are exported as a workbook are read by the next run as equal rows', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'echo.workflow.yaml'), echo());
  const rows: JsonObject[] = [
    { name: 'Ada', 2016: 1.5, note: '=1+1', code: '007', on: '2026-01-31', isOpen: true },
    { name: 'Bob, "B"', 2016: -2e9, note: ' a ', code: '1e5', on: '31.12.2025', isOpen: false },
  ];
  await writeFile(join(cwd, 'rows.xlsx'), await exportedWorkbook(rows));
  const { code, stdout, stderr } = await runCli(
    ['run', 'echo.workflow.yaml', '--rows', 'rows.xlsx', '--format', 'ndjson', '--strict'],
    { cwd },
  );
  expect([code, stderr.split(':')[0]]).toEqual([0, 'Completed']);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(rows);
});

describe('columns that are named by years', () => {
  it('stay in the order of the file in every format', async () => {
    const years = rowFileCases.find(({ file }) => file === 'years.csv') ?? rowFileCases[0];
    if (years === undefined) throw new Error('there are cases');
    const cwd = await folderOf(years);
    const outputs = async (format: string): Promise<string> => {
      await runCli(['run', 'echo.workflow.yaml', '--rows', years.file, '--out', `out.${format}`], { cwd });
      return readFile(join(cwd, `out.${format}`), 'utf8');
    };
    expect(await outputs('ndjson')).toBe('{"name":"Ada","2016":"1","2015":"2"}\n');
    expect(await outputs('json')).toBe('[\n{"name":"Ada","2016":"1","2015":"2"}\n]\n');
    expect(await outputs('csv')).toBe('name,"2016","2015"\nAda,1,2\n');
  });

  it('stay in the order of the fields that the workflow names', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'years.csv'), 'name,2016,2015\nAda,1,2\n');
    const fields = '{ name: =row.name, 2016: "=row[2016]", total: "=row[2015]", 2015: "=row[2015]" }';
    await writeFile(join(cwd, 'years.workflow.yaml'), echo().replace('=row', fields));
    const { stdout } = await runCli(
      ['run', 'years.workflow.yaml', '--rows', 'years.csv', '--format', 'csv'],
      {
        cwd,
      },
    );
    expect(stdout).toBe('name,"2016",total,"2015"\nAda,1,2,2\n');
  });
});
