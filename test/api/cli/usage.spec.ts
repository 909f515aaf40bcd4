import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { flowText, writeFlow } from '../../builders/flow-file.ts';
import { runCli } from '../../builders/run-cli.ts';
import { workflowOf } from '../../builders/workflow-set.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

describe('the rowbench command', () => {
  it.each([['--help'], ['help', 'run'], ['keys', 'create', '--help'], ['--version']])(
    'ends with 0 for %s',
    async (...args) => {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toBe('');
    },
  );

  it.each([
    [['serv'], "error: unknown command 'serv'\n(Did you mean serve?)"],
    [['run', 'a.yaml', '--out', 'a.ods'], 'error: the name "a.ods" tells no format'],
    [['export', 'x', '--out', 'a.ods'], 'error: the name "a.ods" tells no format'],
    [['run'], "error: missing required argument 'file'"],
    [['run', '.'], 'error: .: is a folder, not a file\n'],
    [['run', 'none.yaml'], 'error: none.yaml: no such file\n'],
    [
      ['run', 'none.yaml', '--out', 'none/x.json'],
      'error: none/x.json cannot be written: there is no folder ',
    ],
    [['test', '.', '--junit', 'none/a.xml'], 'error: none/a.xml cannot be written: there is no folder '],
    [['import', '.', '--as', 'a b'], 'error: --as must be 1 to 64 letters, digits, "_" and "-", not "a b"\n'],
    [['test', 'none.yaml'], 'error: none.yaml: no such file or folder\n'],
    [['validate', 'none.yaml'], 'error: none.yaml: no such file or folder\n'],
    [['import', 'none.yaml', '--yes'], 'error: none.yaml: no such file or folder\n'],
    [['serve', '--workflows', 'none'], 'error: --workflows none: no such folder\n'],
    [['serve', '--workflows', 'package.json'], 'error: --workflows package.json: is a file;'],
    [['serve', '--port', 'x'], 'error: --port must be a number from 0 to 65535, not "x"\n'],
  ])('ends with 2 for %j', async (args, words) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  it('ends with 2 where the rows are a folder, and names it', async () => {
    const folder = await temporaryFolder();
    const { code, stderr } = await runCli(['run', await writeFlow(folder), '--rows', folder]);
    expect([code, stderr]).toEqual([2, `error: ${folder}: is a folder, not a file\n`]);
  });

  it('shows an error in one line, and its stack only where it is asked for', async () => {
    const plain = await runCli(['run', 'none.yaml']);
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toBe('error: none.yaml: no such file\n');
    const debug = await runCli(['run', 'none.yaml'], { env: { ROWBENCH_DEBUG: '1' } });
    expect(debug.stderr).toMatch(/\n {4}at /);
  });

  it('ends quietly when nobody reads its output', async () => {
    const folder = await temporaryFolder();
    const file = await writeFlow(folder);
    const rows = join(folder, 'rows.ndjson');
    await writeFile(rows, '{"n":1}\n'.repeat(50_000));
    const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
    const child = spawn(process.execPath, [cli, 'run', file, '--rows', rows], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('rowbench validate', () => {
  it('prints every issue of every file below a folder and ends with 1', async () => {
    const folder = await temporaryFolder();
    await writeFlow(folder);
    await writeFile(
      join(folder, 'bad.workflow.yaml'),
      flowText().replace('row.n * 2', 'row.n *').replace('id: flow', 'id: "a b"'),
    );
    const { code, stdout, stderr } = await runCli(['validate', folder]);
    expect([code, stderr]).toEqual([1, '2 workflows checked: 2 errors\n']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(': ')[0]),
    ).toEqual([join(folder, 'bad.workflow.yaml:2:5'), expect.stringContaining('bad.workflow.yaml:16:')]);
  });

  it('lets warnings pass, but not with --strict', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'w.workflow.yaml');
    await writeFile(file, flowText().replace('"=row.n * 2"', 'true'));
    const [relaxed, strict] = await Promise.all([
      runCli(['validate', '--json', file]),
      runCli(['validate', '--strict', '--json', file]),
    ]);
    expect([relaxed.code, strict.code]).toEqual([0, 1]);
    expect(JSON.parse(relaxed.stdout)).toMatchObject({
      valid: true,
      files: [{ file, issues: [{ severity: 'warning' }] }],
    });
    expect(JSON.parse(strict.stdout)).toMatchObject({ valid: false });
  });

  it('lets notes pass, with --strict too', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'w.workflow.yaml');
    const call =
      '  - { id: c, type: http, request: { url: "https://x.example" }, auth: { secret: A, header: authorization } }';
    await writeFile(file, workflowOf('w', call, '{ got: =nodes.c.status }'));
    const strict = await runCli(['validate', '--strict', file]);
    expect([strict.code, strict.stderr]).toEqual([0, '1 workflow checked: 1 note\n']);
    expect(strict.stdout).toContain(': note: The header authorization carries the secret as it is');
    const json = await runCli(['validate', '--strict', '--json', file]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: true,
      files: [{ issues: [{ severity: 'note' }] }],
    });
  });

  it('looks for the tables and workflows that a file needs, beside it', async () => {
    const folder = await temporaryFolder();
    const outer = workflowOf(
      'outer',
      '  - { id: sub, type: workflow, workflow: inner, row: { code: a } }',
      '{ got: =nodes.sub.got }',
    );
    const inner = workflowOf(
      'inner',
      '  - { id: find, type: lookup, table: t.ndjson, key: code, match: =row.code }',
      '{ got: =nodes.find.name }',
    );
    await writeFile(join(folder, 'outer.workflow.yaml'), outer);
    const missing = await runCli(['validate', folder]);
    expect([missing.code, missing.stdout]).toEqual([
      1,
      `${join(folder, 'outer.workflow.yaml')}:5:42: there is no workflow "inner"\n`,
    ]);
    await writeFile(join(folder, 'inner.workflow.yaml'), inner);
    await writeFile(join(folder, 't.ndjson'), '{"code":"a"}\n{"code"\n');
    const broken = await runCli(['validate', join(folder, 'inner.workflow.yaml')]);
    expect(broken.stdout).toContain('the table t.ndjson cannot be read: line 2, column 8');
    await writeFile(join(folder, 't.ndjson'), '{"code":"a","name":"Ada"}\n');
    await writeFile(join(folder, 'rows.json'), '[{}]');
    const [sound, run] = await Promise.all([
      runCli(['validate', folder]),
      runCli([
        'run',
        join(folder, 'outer.workflow.yaml'),
        '--rows',
        join(folder, 'rows.json'),
        '--format',
        'json',
      ]),
    ]);
    expect(sound.code).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual([{ got: 'Ada' }]);
  });

  it('names damaged lines of a table in a note, at the node that looks up in it', async () => {
    const cwd = await temporaryFolder();
    const lookup = '  - { id: find, type: lookup, table: t.csv, key: code, match: =row.code }';
    await writeFile(join(cwd, 'find.workflow.yaml'), workflowOf('find', lookup, '{ got: =nodes.find.name }'));
    await writeFile(join(cwd, 't.csv'), 'code,name,city\na,Ada,Bonn\nb,Bob\n');
    await writeFile(join(cwd, 'rows.json'), '[{"code":"a"}]');
    const note = 'note: the table t.csv: 1 line has fewer cells than the header (3)';
    const checked = await runCli(['validate', '--strict', '.'], { cwd });
    expect([checked.code, checked.stdout]).toEqual([0, `find.workflow.yaml:5:38: ${note}\n`]);
    const args = ['run', 'find.workflow.yaml', '--rows', 'rows.json'];
    const run = await runCli([...args, '--format', 'json'], { cwd });
    expect(JSON.parse(run.stdout)).toEqual([{ got: 'Ada' }]);
    expect(run.stderr).toContain(`find.workflow.yaml:5:38: ${note}\n`);
    const printed = await runCli([...args, '--json'], { cwd });
    expect(JSON.parse(printed.stdout)).toMatchObject({
      notes: [{ nodeId: 'find', key: 'table', message: note.slice('note: '.length) }],
    });

    const call = '  - { id: call, type: workflow, workflow: find, row: =row }';
    await writeFile(join(cwd, 'outer.workflow.yaml'), workflowOf('outer', call, '{ got: =nodes.call.got }'));
    const outer = await runCli(['run', 'outer.workflow.yaml', '--rows', 'rows.json'], { cwd });
    expect(outer.stderr).toContain(
      `outer.workflow.yaml:5:43: note: find.workflow.yaml, line 5, column 38: ${note.slice('note: '.length)}\n`,
    );
    const tests = {
      tests: [{ name: 'all', rows: 'rows.json', expect: { status: 'completed', rows: [{ got: 'Ada' }] } }],
    };
    for (const id of ['find', 'outer']) await writeFile(join(cwd, `${id}.tests.yaml`), JSON.stringify(tests));
    const tested = await runCli(['test'], { cwd });
    expect([tested.code, tested.stdout]).toEqual([
      0,
      `ok    find.tests.yaml (1 test)\n        find.workflow.yaml:5:38: ${note}\n` +
        `ok    outer.tests.yaml (1 test)\n        outer.workflow.yaml:5:43: note: find.workflow.yaml, line 5, column 38: ${note.slice('note: '.length)}\n`,
    ]);
  });

  it('fails where there is nothing to check', async () => {
    const { code, stderr } = await runCli(['validate', await temporaryFolder()]);
    expect([code, stderr]).toEqual([1, 'error: no workflow files found (*.workflow.yaml, .yml or .json)\n']);
  });
});
