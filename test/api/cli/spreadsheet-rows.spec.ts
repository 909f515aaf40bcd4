// Rows of Excel workbooks and of UTF-16 files on the command line.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../builders/run-cli.ts';
import { smallWorkbook } from '../../builders/small-workbook.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workflow = `rowbench: 1
id: echo
nodes:
  - id: input
    type: input
    fields: { zip: { type: string }, n: { type: number } }
  - { id: result, type: output, fields: { row: "=row" } }
`;

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const rowsWith = (zip: string): string =>
  `<row>${text('zip')}${text('n')}</row><row>${text(zip)}<c><v>2</v></c></row>`;

async function folderWith(files: Readonly<Record<string, Uint8Array | string>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries({ 'echo.workflow.yaml': workflow, ...files }))
    await writeFile(join(folder, name), content);
  return (...args: string[]) => runCli(['run', join(folder, 'echo.workflow.yaml'), ...args], { cwd: folder });
}

const outputOf = ({ stdout }: { readonly stdout: string }): unknown => JSON.parse(stdout);

describe('rowbench run', () => {
  it('reads the rows of a workbook with the types of its cells', async () => {
    const run = await folderWith({
      'book.xlsx': await smallWorkbook({ sheets: [{ name: 'Rows', rows: rowsWith('007') }] }),
    });
    expect(outputOf(await run('--rows', 'book.xlsx'))).toEqual([{ row: { zip: '007', n: 2 } }]);
  });

  it('refuses a sheet of a file that is no workbook', async () => {
    const run = await folderWith({ 'rows.csv': 'zip\n007\n' });
    const { code, stderr, stdout } = await run('--rows', 'rows.csv', '--sheet', 'New');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('rows.csv: it is no Excel workbook, so it has no sheets: leave out --sheet');
  });

  it('asks for the sheet of a workbook that has several', async () => {
    const sheets = ['Old', 'New'].map((name) => ({ name, rows: rowsWith(name) }));
    const run = await folderWith({ 'book.xlsx': await smallWorkbook({ sheets }) });
    const { code, stderr, stdout } = await run('--rows', 'book.xlsx');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('book.xlsx: it has several sheets: "Old", "New". Choose one with --sheet');
    expect(outputOf(await run('--rows', 'book.xlsx', '--sheet', 'New'))).toEqual([
      { row: { zip: 'New', n: 2 } },
    ]);
    expect((await run('--rows', 'book.xlsx', '--sheet', 'Newer')).stderr).toContain(
      'book.xlsx: it has no sheet "Newer". Its sheets are "Old", "New"',
    );
  });

  it('says what a file is that only has the name of a workbook', async () => {
    const run = await folderWith({ 'book.xlsx': '%PDF-1.7\n', 'old.xls': '<table><tr></tr></table>' });
    expect(await run('--rows', 'book.xlsx')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('book.xlsx: it is a PDF.') as string,
    });
    expect((await run('--rows', 'old.xls')).stderr).toContain('it is HTML or XML. Open it in Excel');
  });

  it('reads text that only has the name of a workbook', async () => {
    const run = await folderWith({ 'book.xls': 'zip\tn\n007\t2\n' });
    const { code, stdout } = await run('--rows', 'book.xls', '--format', 'ndjson');
    expect([code, stdout]).toEqual([0, '{"row":{"zip":"007","n":2}}\n']);
  });

  it('reads a CSV file that Excel saved as Unicode text', async () => {
    const content = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('zip\tn\r\n007 é\t2\r\n', 'utf16le'),
    ]);
    const run = await folderWith({ 'rows.txt': content });
    expect(outputOf(await run('--rows', 'rows.txt'))).toEqual([{ row: { zip: '007 é', n: 2 } }]);
  });
});
