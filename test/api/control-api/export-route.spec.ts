// Exports with chosen columns and rows, and the rows of spreadsheets, as a page asks for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { smallWorkbook } from '../../builders/small-workbook.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const named = `rowbench: 1
id: named
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: fail, message: no, rows: [2] }
  - { id: result, type: output, after: [check], fields: { name: "=row.name" } }
`;

let app: TestApp;
let control: ControlCalls;

beforeAll(async () => {
  app = await startTestApp({ workflows: { named }, limits: 'off' });
  control = await controlOf(app);
});

afterAll(() => app.close());

/** Exports a run whose second row failed. */
async function exported(body: unknown) {
  const runId = await app.run('named', [{ name: '=1+1' }, { name: 'lost' }, { name: 'kept', n: 3 }]);
  await expect
    .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  return control.send(`/runs/${runId}/export`, { body: JSON.stringify(body) });
}

describe('the export route', () => {
  it('answers with the file that the options describe', async () => {
    const options = { format: 'csv', rowNumbers: true, inputColumns: true, failedRows: true };
    const { status, text } = await exported({ options, exportId: 'one' });
    expect([status, text]).toEqual([
      200,
      "row,input.name,input.n,name,failed.node,failed.message\n1,'=1+1,,'=1+1,,\n2,lost,,,check,no\n3,kept,3,kept,,\n",
    ]);
    const progress = await control.send('/call/run.exportProgress', { body: '{"exportId":"one"}' });
    expect(JSON.parse(progress.text)).toEqual({ success: true, data: null });
  });

  it('exports the rows of a selection alone', async () => {
    const condition = {
      of: 'column',
      column: { of: 'input', name: 'name' },
      test: { is: 'contains', text: 'kept' },
    };
    const { text } = await exported({
      options: { format: 'ndjson', rowNumbers: true },
      selection: { conditions: [condition] },
    });
    expect(text).toBe('{"row":3,"name":"kept"}\n');
  });

  it.each([
    [{ options: { format: 'pdf' } }, 'Invalid option'],
    [{ options: { format: 'csv', columns: ['none'] } }, 'There is no column "none"'],
  ])('refuses %j', async (body, message) => {
    const { status, text } = await exported(body);
    expect(status).toBe(400);
    expect(text).toContain(JSON.stringify(message).slice(1, -1));
  });
});

describe('the route for spreadsheets', () => {
  const cell = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = (name: string) => ({ name, rows: `<row>${cell('a')}</row><row>${cell(name)}</row>` });
  const read = (body: Uint8Array, query = '') =>
    control.send(`/sheet${query}`, {
      body: Uint8Array.from(body),
      headers: { 'content-type': 'application/octet-stream' },
    });

  it('answers with the names of the sheets and the rows of one', async () => {
    const bytes = await smallWorkbook({ sheets: [sheet('First'), sheet('Second')] });
    const sheets = ['First', 'Second'].map((name) => ({ name, isHidden: false }));
    const linesOf = ({ text }: { readonly text: string }): unknown[] =>
      text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    expect(linesOf(await read(bytes))).toEqual([{ sheets, sheet: 'First' }, { a: 'First' }]);
    expect(linesOf(await read(bytes, '?sheet=Second'))).toEqual([
      { sheets, sheet: 'Second' },
      { a: 'Second' },
    ]);
  });

  it('says why a file cannot be read', async () => {
    const { status, text } = await read(Buffer.from('a,b'));
    expect([status, text]).toEqual([400, expect.stringContaining('It is not an Excel workbook')]);
  });
});
