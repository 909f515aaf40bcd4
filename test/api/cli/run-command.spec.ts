import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeFlow } from '../../builders/flow-file.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { workflowOf } from '../../builders/workflow-set.ts';

const cliFile = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

async function flow(extra?: string) {
  const folder = await temporaryFolder();
  const file = await writeFlow(folder, extra);
  const run = (args: readonly string[], stdin?: string) =>
    runCli(['run', file, ...args], { stdin, cwd: folder });
  return { folder, file, run };
}

it('a person reads no line of JSON when a node takes too long', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'loop.workflow.yaml');
  await writeFile(
    file,
    workflowOf(
      'loop',
      '  - { id: loop, type: code, timeout: 300ms, code: "while (true) {}" }',
      '{ a: =nodes.loop }',
    ),
  );
  const { code, stderr } = await runCli(['run', file, '--rows', '-'], { stdin: '[{}]' });
  expect(code).toBe(1);
  expect(stderr).toContain('Failed: Node "loop" failed on row 1');
  expect(stderr).not.toContain('{"level"');
});

describe('rowbench run', () => {
  it('runs the test rows and prints the outputs, and only those, on standard output', async () => {
    const { run } = await flow();
    const { code, stdout, stderr } = await run([]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      [
        { double: 2, tags: [] },
        { double: 4, tags: [] },
      ],
    ]);
    expect(stderr).toMatch(/^Completed: 2 rows in \S+ m?s\n$/);
  });

  it.each([
    ['leads.json', '{"rows":[{"n":3,"tags":["a"]}]}'],
    ['leads.ndjson', '{"n":3,"tags":["a"]}\n'],
    ['leads.csv', 'n,tags\n3,"[""a""]"\n'],
    ['leads.tsv', 'n\ttags\n3\t["a"]\n'],
  ])('reads rows from %s', async (name, content) => {
    const { folder, run } = await flow();
    await writeFile(join(folder, name), content);
    const { stdout } = await run(['--rows', name, '--format', 'ndjson']);
    expect(stdout).toBe('{"double":6,"tags":["a"]}\n');
  });

  it('reads rows from standard input in whatever form they come', async () => {
    const { run } = await flow();
    const results = await Promise.all([
      run(['--rows', '-', '--format', 'csv'], '[{"n":1},{"n":-0}]'),
      run(['--rows', '-', '--format', 'csv'], 'n;tags\n1;\n0;\n'),
    ]);
    expect(results.map(({ stdout }) => stdout)).toEqual([
      'double,tags\n2,[]\n0,[]\n',
      'double,tags\n2,[]\n0,[]\n',
    ]);
  });

  it('writes a file in the format of its extension, and nothing to standard output', async () => {
    const { folder, run } = await flow();
    const { code, stdout, stderr } = await run(['--out', 'out.csv']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('written to out.csv');
    expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe('double,tags\n2,[]\n4,[]\n');
    expect((await readdir(folder)).sort()).toEqual(['flow.workflow.yaml', 'out.csv']);
  });

  it('reads back equal what it wrote as CSV, formulas and leading apostrophes included', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'echo.workflow.yaml'),
      'rowbench: 1\nid: echo\nnodes:\n  - { id: in, type: input }\n' +
        '  - { id: out, type: output, fields: { "=text": "=row[\'=text\']" } }\n',
    );
    const texts = ['=1+1', "'=1+1", 'x;=1+1', '\n=1', '\u00a0@x', '-5', "'tis", 'a;b', '\ufeff+1'];
    const rows = texts.map((text) => ({ '=text': text }));
    const run = (args: readonly string[], stdin?: string) =>
      runCli(['run', 'echo.workflow.yaml', ...args], { stdin, cwd: folder });
    await run(['--rows', '-', '--out', 'out.csv'], JSON.stringify(rows));
    expect(await readFile(join(folder, 'out.csv'), 'utf8')).toContain(`\n''=1+1\n"'x;'=1+1"\n`);
    expect(JSON.parse((await run(['--rows', 'out.csv'])).stdout)).toEqual(rows);
  });

  describe('with outputs whose fields differ', () => {
    async function echo() {
      const folder = await temporaryFolder();
      await writeFile(
        join(folder, 'echo.workflow.yaml'),
        'rowbench: 1\nid: echo\nnodes:\n  - { id: in, type: input }\n  - { id: out, type: output, fields: =row }\n',
      );
      const run = (rows: readonly object[], ...args: readonly string[]) =>
        runCli(['run', 'echo.workflow.yaml', '--rows', '-', ...args], {
          stdin: JSON.stringify(rows),
          cwd: folder,
        });
      return { folder, run };
    }

    it('writes CSV with the fields of all outputs, to standard output and to a file', async () => {
      const { folder, run } = await echo();
      const rows = [{ a: 1 }, { a: 1, b: 2 }];
      expect(await run(rows, '--format', 'csv')).toMatchObject({ code: 0, stdout: 'a,b\n1,\n1,2\n' });
      expect(await run(rows, '--out', 'out.csv')).toMatchObject({ code: 0, stdout: '' });
      expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe('a,b\n1,\n1,2\n');
    });

    it('keeps outputs with more fields than CSV holds as NDJSON, and ends with 1', async () => {
      const { folder, run } = await echo();
      const rows = Array.from({ length: 16_385 }, (_, index) => ({ [`k${index}`]: 1 }));
      const { code, stderr } = await run(rows, '--out', 'out.csv');
      expect([code, stderr]).toEqual([
        1,
        'error: The outputs have more than 16,384 different fields, which CSV does not hold. ' +
          'They are written as NDJSON to out.csv.ndjson\n',
      ]);
      expect((await readdir(folder)).sort()).toEqual(['echo.workflow.yaml', 'out.csv.ndjson']);
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      expect(await readFile(join(folder, 'out.csv.ndjson'), 'utf8')).toBe(lines);
      expect((await run(rows, '--format', 'csv')).stdout).toBe(lines);
    });
  });

  it('ends with 1 when the run fails, and leaves the output file as it was', async () => {
    const { folder, run } = await flow();
    await writeFile(join(folder, 'out.json'), 'old');
    const { code, stdout, stderr } = await run(['--rows', '-', '--out', 'out.json'], 'n\n1\n-1\n');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Failed: Node "check" failed on row 2: negative -1\n',
    });
    expect(await readFile(join(folder, 'out.json'), 'utf8')).toBe('old');
  });

  it('shows the rows that were skipped', async () => {
    const { run } = await flow('onRowError: skip\n');
    const { code, stdout, stderr } = await run(['--rows', '-', '--format', 'ndjson'], 'n\n1\n-1\n3\n');
    expect([code, stdout]).toEqual([0, '{"double":2,"tags":[]}\nnull\n{"double":6,"tags":[]}\n']);
    expect(stderr).toContain(
      '1 row failed and has no output:\n  Node "check" failed on row 2: negative -1\n',
    );
  });

  it('fails only the rows with bad cells, and counts them by cause if they are many', async () => {
    const { run } = await flow('onRowError: skip\n');
    const cells = ['1', 'k.A.', 'n/a', '-7', ...Array<string>(5).fill('k.A.')];
    const { code, stdout, stderr } = await run(
      ['--rows', '-', '--format', 'ndjson'],
      `n\n${cells.join('\n')}\n`,
    );
    expect([code, stdout]).toEqual([0, `{"double":2,"tags":[]}\n${'null\n'.repeat(8)}`]);
    expect(stderr).toContain(
      '8 rows failed and have no output:\n' +
        '  7 rows: node "input": n: “…” is not a number (rows 2, 3, 5, 6, 7, …)\n' +
        '  1 row: node "check": negative -7 (row 4)\n',
    );
  });

  it('ends with 1 for skipped rows only if --fail-on-skipped is set', async () => {
    const { run } = await flow('onRowError: skip\n');
    const runRows = (...more: string[]) => run(['--rows', '-', '--format', 'ndjson', ...more], 'n\n1\n-1\n');
    const [lenient, strict] = await Promise.all([runRows(), runRows('--fail-on-skipped')]);
    expect([lenient.code, strict.code]).toEqual([0, 1]);
    const outputs = '{"double":2,"tags":[]}\nnull\n';
    expect([lenient.stdout, strict.stdout]).toEqual([outputs, outputs]);
    expect((await run(['--fail-on-skipped'])).code).toBe(0);
  });

  it('ends with 1 when all rows failed, although the run completes, and writes the outputs', async () => {
    const { folder, run } = await flow('onRowError: skip\n');
    const { code, stderr } = await run(['--rows', '-', '--out', 'out.ndjson'], 'n\n-1\n-2\n');
    expect(code).toBe(1);
    expect(stderr).toContain('All rows failed');
    expect(await readFile(join(folder, 'out.ndjson'), 'utf8')).toBe('null\nnull\n');
    expect((await run(['--rows', '-', '--json'], 'n\n-1\n')).code).toBe(1);
    expect((await run(['--rows', '-'], '[]')).code).toBe(0);
  });

  it.each(['check=large', 'chek=large'])('is called wrongly with --mock %s', async (mock) => {
    const { run } = await flow();
    const { code, stdout, stderr } = await run(['--mock', mock]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('does not have the mocks asked for');
  });

  it('prints one JSON object with --json, whether the run completes or fails', async () => {
    const { run } = await flow();
    const [done, failed] = await Promise.all([
      run(['--json', '--rows', '-'], '{"n":5}\n'),
      run(['--json', '--rows', '-'], '{"n":-5}\n'),
    ]);
    expect(JSON.parse(done.stdout)).toMatchObject({
      status: 'completed',
      rowsDone: 1,
      failures: [],
      outputs: [{ double: 10, tags: [] }],
    });
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: 'failed',
      error: 'Node "check" failed on row 1: negative -5',
      failures: [{ row: 1, nodeId: 'check', message: 'negative -5' }],
    });
    expect([done.code, failed.code]).toEqual([0, 1]);
  });

  it('names the place of what is wrong in the rows, and runs nothing', async () => {
    const { run } = await flow();
    const { code, stdout, stderr } = await run(['--rows', '-'], '{"n":1}\n{"n":}\n');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: standard input: line 2, column 6: expected a value, found "}"\n',
    });
  });

  it('prints the issues of a file that does not validate', async () => {
    const { folder, run, file } = await flow();
    await writeFile(join(folder, 'flow.workflow.yaml'), 'rowbench: 1\nid: flow\nnodes: []\n');
    const { code, stderr } = await run([]);
    expect(code).toBe(1);
    expect(stderr.startsWith(`${file}:3:`)).toBe(true);
  });

  it.each([
    ['while rows wait', ['--rows', 'rows.json']],
    ['while rows are still typed in', ['--rows', '-']],
  ])('is cancelled by Ctrl-C %s, and leaves nothing behind', async (_, args) => {
    const folder = await temporaryFolder();
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    await writeFile(join(folder, 'rows.json'), '[{"n":1}]');
    const file = await writeFlow(folder);
    const slow = (await readFile(file, 'utf8')).replace(
      '  - id: result',
      '  - { id: wait, type: delay, for: 1h }\n  - id: result',
    );
    await writeFile(file, slow);
    const child = spawn(process.execPath, [cliFile, 'run', file, ...args], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary },
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
    await expect.poll(() => readdir(temporary), { timeout: 15_000 }).not.toEqual([]);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, words, await readdir(temporary)]).toEqual([130, 'Cancelled\n', []]);
  });
});
