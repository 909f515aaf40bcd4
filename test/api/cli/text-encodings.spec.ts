// Files that an editor has saved in another encoding than UTF-8: each command names the place and what to do.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const echo =
  'rowbench: 1\nid: echo\nname: caf\u00e9\nnodes:\n  - { id: in, type: input }\n  - { id: out, type: output, fields: =row }\n';
const tests = 'rowbench: 1\ntests:\n  - { name: caf\u00e9, rows: [], expect: { status: completed } }\n';

/** A folder with these files, and commands that run in it. */
async function folderOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return (...args: readonly string[]) => runCli(args, { cwd: folder });
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a file in another encoding', () => {
  it('validate names the line, the column and the remedy, file by file', async () => {
    const cli = await folderOf({
      'echo.workflow.yaml': latin1(echo),
      'echo.tests.yaml': latin1(tests),
      'wide.workflow.yaml': utf16(echo),
      'profiles.yaml': utf16('profiles: {}'),
    });
    expect(await cli('validate', '.')).toMatchObject({
      code: 1,
      stdout: [
        'echo.tests.yaml:3:16: This is not UTF-8 text: save the file as UTF-8',
        'echo.workflow.yaml:3:10: This is not UTF-8 text: save the file as UTF-8',
        'wide.workflow.yaml:1:1: The file is UTF-16 text: save it as UTF-8',
        'profiles.yaml:1:1: The file is UTF-16 text: save it as UTF-8',
        '',
      ].join('\n'),
    });
  });

  it.each([
    [latin1(echo), 'echo.workflow.yaml:3:10: This is not UTF-8 text: save the file as UTF-8\n'],
    [utf16(echo), 'echo.workflow.yaml:1:1: The file is UTF-16 text: save it as UTF-8\n'],
  ])('run and test do not run it', async (bytes, message) => {
    const cli = await folderOf({ 'echo.workflow.yaml': bytes, 'echo.tests.yaml': tests, 'rows.json': '[]' });
    expect(await cli('run', 'echo.workflow.yaml', '--rows', 'rows.json')).toEqual({
      code: 1,
      stdout: '',
      stderr: message,
    });
    const tested = await cli('test');
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain(message.trim());
  });

  it('a tests file fails by its place', async () => {
    const cli = await folderOf({ 'echo.workflow.yaml': echo, 'echo.tests.yaml': latin1(tests) });
    const { code, stdout } = await cli('test');
    expect([code, stdout]).toEqual([
      1,
      'FAIL  echo.tests.yaml\n  echo.tests.yaml:3:16: This is not UTF-8 text: save the file as UTF-8\n',
    ]);
  });

  it('a test names the place in its file of expected rows', async () => {
    const cli = await folderOf({
      'echo.workflow.yaml': echo,
      'echo.tests.yaml': tests.replace(
        'expect: { status: completed }',
        'expect: { status: completed, rows: expected.json }',
      ),
      'expected.json': latin1('[\n  { "name": "caf\u00e9" }\n]\n'),
    });
    const { code, stdout } = await cli('test');
    expect(code).toBe(1);
    expect(stdout).toContain('expected.json is not UTF-8 text in line 2, column 17: save it as UTF-8');
  });

  it('an import refuses it and names the place', async () => {
    const cli = await folderOf({ 'echo.workflow.yaml': latin1(echo) });
    const { code, stderr } = await cli('import', 'echo.workflow.yaml', '--data', await temporaryFolder());
    expect(code).toBe(1);
    expect(stderr).toContain('echo.workflow.yaml is not UTF-8 text in line 3, column 10: save it as UTF-8');
  });

  it.each([
    ['rows.csv', latin1('name\ncaf\u00e9 \u0096\n')],
    ['rows.csv', Buffer.concat([Buffer.from('name\n'), latin1('caf\u00e9 \u0096\n')])],
    ['rows.csv', Buffer.from('name\ncaf\u00e9 –\n', 'utf16le')],
    ['rows.csv.gz', gzipSync('name\ncaf\u00e9 –\n')],
  ])('rows from %s are read', async (name, bytes) => {
    const cli = await folderOf({ 'echo.workflow.yaml': echo, [name]: bytes });
    expect(await cli('run', 'echo.workflow.yaml', '--rows', name, '--format', 'json')).toMatchObject({
      code: 0,
      stdout: '[\n{"name":"caf\u00e9 –"}\n]\n',
    });
  });

  it.each([
    [
      latin1('name\n\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2\n'),
      'name its encoding with --encoding: windows-1251',
    ],
    [latin1('%PDF-1.7\n'), 'it is a PDF. Rows come from Excel, CSV, TSV, JSON or NDJSON'],
    [gzipSync('name\nx\n').subarray(0, -9), 'it is packed with gzip and ends too early'],
  ])('rows that cannot be read are refused with the remedy (%#)', async (bytes, message) => {
    const cli = await folderOf({ 'echo.workflow.yaml': echo, 'rows.csv': bytes });
    const { code, stderr } = await cli('run', 'echo.workflow.yaml', '--rows', 'rows.csv');
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
