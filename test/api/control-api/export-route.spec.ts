// Exports with chosen columns and rows, and the rows of spreadsheets, as a page asks for them.
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachableBufferBytes } from '../../builders/collect-garbage.ts';
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
  app = await startTestApp({ workflows: { named }, limits: 'off', hasReadThread: true });
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

/** An answer that has begun, and of which nothing more is read. */
const openUnread = (runId: string, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-rowbench-token': control.token, 'content-type': 'application/json' };
    request(`${app.url}/_rowbench/v1/runs/${runId}/export`, { method: 'POST', headers }, (answer) => {
      answer.once('error', () => undefined);
      resolve(answer);
    })
      .once('error', reject)
      .end(body);
  });

describe('the export route', () => {
  it('answers with the file that the options describe', async () => {
    const options = { format: 'csv', rowNumbers: true, inputColumns: true, failedRows: true };
    const { status, text } = await exported({ options, exportId: 'one' });
    expect([status, text]).toEqual([
      200,
      "row,input.name,input.n,name,failed.node,failed.message\n1,'=1+1,,'=1+1,,\n2,lost,,,check,no\n3,kept,3,kept,,\n",
    ]);
    const progress = await control.send('/call/run.exportProgress', { body: '{"exportId":"one"}' });
    // Asked for at the end, too: the page says how many lines the file has.
    expect(JSON.parse(progress.text)).toMatchObject({ data: { done: 3, lines: 3, total: 3 } });
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

  it('exports the rows in the order of a selection', async () => {
    const sort = { column: { of: 'input', name: 'name' }, descending: true };
    const { text } = await exported({
      options: { format: 'ndjson', rowNumbers: true, failedRows: true, columns: ['row'] },
      selection: { conditions: [], sort },
    });
    expect(text).toBe('{"row":2}\n{"row":3}\n{"row":1}\n');
  });

  it('serves four readers at once, holds little for those that have stopped, and serves the next when one has gone', async () => {
    const rows = Array.from({ length: 12 }, () => ({ name: 'x'.repeat(1e6) }));
    const runId = await app.run('named', rows);
    await expect
      .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 20_000 })
      .toBe('completed');
    const body = JSON.stringify({ options: { format: 'csv' } });
    const before = await reachableBufferBytes();
    const stopped = await Promise.all(Array.from({ length: 4 }, () => openUnread(runId, body)));
    // What is sent four times has 48 MB.
    expect((await reachableBufferBytes()) - before).toBeLessThan(24_000_000);
    const get = () => control.send(`/runs/${runId}/export`, { body });
    expect(await get()).toMatchObject({ status: 503, code: 'too_many_exports' });
    stopped[0]?.destroy();
    await expect.poll(async () => (await get()).status, { timeout: 15_000, interval: 100 }).toBe(200);
    for (const answer of stopped) answer.destroy();
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
    const remark = { kind: 'sheet', text: 'sheet "First" of 2', option: 'sheet' };
    expect(linesOf(await read(bytes))).toMatchObject([
      {
        sheets,
        sheet: 'First',
        report: {
          readAs: { sheet: 'First', header: { first: 1, last: 1 } },
          remarks: [remark],
          columns: ['a'],
        },
        firstRows: [['a'], ['First']],
      },
      { a: 'First' },
    ]);
    expect(linesOf(await read(bytes, '?sheet=Second&header=none'))).toMatchObject([
      { sheets, sheet: 'Second', report: { readAs: { header: 'none' }, columns: ['column A'] } },
      { 'column A': 'a' },
      { 'column A': 'Second' },
    ]);
    expect(await read(bytes, '?heading=1')).toMatchObject({
      status: 400,
      text: expect.stringContaining('is no option of a rows file') as string,
    });
  });

  it('says why a file cannot be read', async () => {
    const { status, text } = await read(Buffer.from('a,b'));
    expect([status, text]).toEqual([400, expect.stringContaining('It is not an Excel workbook')]);
  });
});
