// Flags that say how a file of rows is read, and the line on standard error that says how it was.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const bill = `rowbench: 1
id: bill
onRowError: skip
nodes:
  - { id: input, type: input, fields: { amount: { type: number } } }
  - { id: result, type: output, fields: { row: "=row" } }
`;

async function billing(name: string, rows: string) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'bill.workflow.yaml'), bill);
  await writeFile(join(cwd, name), rows);
  const run = (...flags: string[]) =>
    runCli(['run', 'bill.workflow.yaml', '--rows', name, '--format', 'ndjson', ...flags], { cwd });
  return { cwd, run };
}

const inLines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify({ row })}\n`).join('');

describe('a run of a file with decimal commas', () => {
  const text = 'joined;amount\n31.12.2025;1.234,50\n1.2.2026;7,5\n';

  it('reads them, and says so in one line with the flags that decide it', async () => {
    const { run } = await billing('orders.csv', text);
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([
      0,
      inLines({ joined: '31.12.2025', amount: 1234.5 }, { joined: '1.2.2026', amount: 7.5 }),
    ]);
    expect(stderr).toMatch(
      /^orders\.csv: .*amount: 2 values with decimal comma read as numbers.*--decimal ,\n/,
    );
  });

  it('says nothing about what the flags say, and makes ISO texts of dates where they ask for it', async () => {
    const { run } = await billing('orders.csv', text);
    const { stdout, stderr } = await run('--decimal', ',', '--dates', 'dmy', '--delimiter', ';', '--strict');
    expect(stdout).toBe(
      inLines({ joined: '2025-12-31', amount: 1234.5 }, { joined: '2026-02-01', amount: 7.5 }),
    );
    expect(stderr).toMatch(/^Completed: 2 rows/);
  });

  it('has the decisions in a result that is printed as JSON', async () => {
    const { run } = await billing('orders.csv', text);
    const { stdout } = await run('--json');
    expect(JSON.parse(stdout)).toMatchObject({
      readAs: {
        file: 'orders.csv',
        options: { delimiter: ';', header: '1', decimal: ',' },
        text: expect.stringContaining('amount: 2 values with decimal comma read as numbers') as string,
      },
    });
  });

  it('is refused with --strict', async () => {
    const { run } = await billing('orders.csv', text);
    const { code, stdout, stderr } = await run('--strict');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('which is an error with --strict');
  });
});

it('one bad cell fails its row alone, and the line about the file does not name it', async () => {
  const { run } = await billing('orders.csv', 'amount,name\n1,a\nk.A.,b\n3,c\n');
  const { code, stdout, stderr } = await run();
  expect([code, stdout]).toEqual([
    0,
    `${inLines({ amount: 1, name: 'a' })}null\n${inLines({ amount: 3, name: 'c' })}`,
  ]);
  expect(stderr).toContain('  Node "input" failed on row 2: amount: "k.A." is not a number\n');
  expect(stderr).not.toContain('orders.csv');
});

describe('the failure of a row', () => {
  const commas = Array.from({ length: 9 }, (_, n) => `${n},5;a\n`).join('');
  const failed = (text: string): string => `  Node "input" failed on row ${text}\n`;

  it('names the form in which its number was read', async () => {
    const { run } = await billing('orders.csv', `amount;name\n${commas}8.25;b\nx;c\n`);
    expect((await run()).stderr).toContain(
      failed('10: amount: "8.25" is not a number with decimal comma') +
        failed('11: amount: "x" is not a number'),
    );
    expect((await run('--decimal', '.')).stderr).toContain(
      'node "input": amount: “…” is not a number with decimal point (rows 1, 2, 3, 4, 5, …)',
    );
  });

  it('says that the form is open', async () => {
    const { run } = await billing('orders.csv', 'amount;name\n1,234;a\n');
    expect((await run()).stderr).toContain(
      failed('1: amount: "1,234" is not a number: its comma can stand before decimals or group digits'),
    );
    const mixed = await billing('mixed.csv', 'amount;name\n1,5;a\n2.5;b\n');
    expect((await mixed.run()).stderr).toContain(
      failed('1: amount: "1,5" is not a number: it has a decimal comma'),
    );
  });

  it('names the form in a test, too', async () => {
    const { cwd } = await billing('orders.csv', `amount;name\n${commas}8.25;b\n`);
    await writeFile(join(cwd, 'bill.workflow.yaml'), bill.replace('onRowError: skip', 'onRowError: fail'));
    const expected = { status: 'failed', error: 'amount: "8.25" is not a number with decimal comma' };
    const tests = [{ name: 'all', rows: 'orders.csv', expect: expected }];
    await writeFile(join(cwd, 'bill.tests.yaml'), JSON.stringify({ tests }));
    expect(await runCli(['test'], { cwd })).toMatchObject({ code: 0 });
  });
});

describe('flags that cannot be used', () => {
  it.each([
    [['--delimiter', ';;'], 2, '--delimiter must be one character that is no quote, or tab, not ";;"'],
    [['--header', '0'], 2, '--header must be the line that names the columns'],
    [['--dates', 'day'], 2, '--dates must be one of dmy mdy ymd, not "day"'],
    [['--skip', 'all'], 2, '--skip must be one of short long both, not "all"'],
    [['--skip', 'long'], 1, 'rows.json: it is JSON, to which the option skip does not apply'],
    [['--delimiter', ';'], 1, 'rows.json: it is JSON, to which the option delimiter does not apply'],
    [['--sheet', 'A'], 1, 'rows.json: it is no Excel workbook, so it has no sheets'],
  ])('%j end with %i', async (flags, code, message) => {
    const { run } = await billing('rows.json', '[{"amount":1}]');
    const ended = await run(...flags);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(message);
  });

  it('go with a file of rows', async () => {
    const { cwd } = await billing('rows.json', '[]');
    const made = await runCli(['new', 'x', '--decimal', ','], { cwd });
    expect([made.code, made.stderr]).toEqual([
      2,
      expect.stringContaining('--decimal says how a file is read: name the file with --rows') as string,
    ]);
  });
});

describe('lines that --skip leaves out', () => {
  const text = 'name,amount\nAda,1\nBob\nCy,3,4\n';

  it('are counted on standard error, and are no error with --strict', async () => {
    const { run } = await billing('orders.csv', text);
    const { code, stdout, stderr } = await run('--skip', 'both', '--strict');
    expect([code, stdout]).toEqual([0, inLines({ name: 'Ada', amount: 1 })]);
    expect(stderr).toMatch(
      /^orders\.csv: 1 line with fewer cells than the header left out \(3\); 1 line with more cells than the header left out \(4\)\n/,
    );
  });

  it('are an error with --strict if the option leaves out others, with the option as the remedy', async () => {
    const { run } = await billing('orders.csv', text);
    const { code, stdout, stderr } = await run('--skip', 'short', '--strict');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'line 4: 3 cells of 2 (delimiter ","), which is an error with --strict. Correct the line, or leave such lines out: --skip long',
    );
  });

  it('may be all: then there are no rows', async () => {
    const { run } = await billing('orders.csv', 'name,amount\nBob\n');
    const { code, stderr } = await run('--skip', 'short', '--delimiter', ',');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'there are no rows in it, read as CSV, whose first line names the fields, without the lines that --skip leaves out',
      ) as string,
    ]);
  });
});

it('rowbench new infers numbers in the form that --decimal says, and text without it', async () => {
  const { cwd } = await billing('orders.csv', 'id;amount;zip\n1;1.234,50;012\n2;7,5;013\n');
  const fieldsOf = async (id: string, ...flags: string[]) => {
    await runCli(['new', id, '--rows', 'orders.csv', ...flags], { cwd });
    return readFile(join(cwd, `${id}.workflow.yaml`), 'utf8');
  };
  expect(await fieldsOf('plain')).toMatch(/amount: *\{? *type: string/);
  const typed = await fieldsOf('typed', '--decimal', ',');
  expect(typed).toMatch(/amount: *\{? *type: number/);
  expect(typed).toContain('1234.5');
});
