// A file of rows reads alike on the command line, in tests and in the app: the same rows, and the same remarks.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remarkLine } from '../../../src-main/domain/rows/files/read-remarks.ts';
import { readRowsFile } from '../../../src-renderer/state/entry/read-rows-file.ts';
import { rowFileCases, type RowFileCase } from '../../builders/row-file-cases.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const echo = (fields = '{}'): string => `rowbench: 1
id: echo
onRowError: skip
nodes:
  - { id: input, type: input, fields: ${fields} }
  - { id: result, type: output, fields: =row }
`;

async function folderOf({ file, content, rows, fields }: RowFileCase): Promise<string> {
  const cwd = await temporaryFolder();
  const tests = [{ name: 'reads the file', rows: file, expect: { status: 'completed', rows } }];
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
  const { file, rows } = each;

  it('reads alike on the command line', async () => {
    const cwd = await folderOf(each);
    const run = ['run', 'echo.workflow.yaml', '--rows', file, '--format', 'ndjson'];
    const { code, stdout, stderr } = await runCli(run, { cwd });
    expect([
      code,
      stdout
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ]).toEqual([0, rows]);
    const [first = ''] = stderr.split('\n');
    expect(first.startsWith('Completed') ? '' : first.replace(/\. To decide it: .*/, '')).toBe(
      wholeLine(each),
    );
  });

  it('reads alike in a test', async () => {
    const cwd = await folderOf(each);
    const { code, stdout } = await runCli(['test', '--json'], { cwd });
    const { files } = JSON.parse(stdout) as { files: [{ tests: [{ status: string; read?: string }] }] };
    const [{ status, read = '' }] = files[0].tests;
    expect([code, status, read]).toEqual([0, 'passed', wholeLine(each)]);
  });
});

// The app converts cells after it has read them, as the user chooses.
it.each(rowFileCases.filter(({ fields }) => fields === undefined))(
  '$title reads alike in the app',
  async (each) => {
    const { file, content, rows } = each;
    const bytes = typeof content === 'string' ? content : new Uint8Array(content);
    const read = await readRowsFile(new File([bytes], file), { maxRows: 100 });
    expect(read.rows).toEqual(rows);
    expect(read.report.remarks.length === 0 ? '' : remarkLine(file, read.report)).toBe(wholeLine(each));
  },
);

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
