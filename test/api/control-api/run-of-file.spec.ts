// A run that begins with a file of rows as it lies on the disk: the server reads it as the preview of the page did.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const copying = `rowbench: 1
id: copying
onRowError: skip
nodes:
  - { id: input, type: input, fields: { name: { type: string }, amount: { type: number } } }
  - { id: result, type: output, fields: { name: =row.name, amount: =row.amount } }
`;

let app: TestApp;
let control: ControlCalls;

beforeAll(async () => {
  app = await startTestApp({
    workflows: { ...sampleWorkflows, copying },
    limits: 'off',
    settings: { maxRows: 5 },
  });
  control = await controlOf(app);
});

afterAll(() => app.close());

const columns = [
  { name: 'Name', target: 'name', type: 'string', repairs: [{ kind: 'trim' }] },
  { name: 'Sum', target: 'amount', type: 'number', repairs: [{ kind: 'numbers' }, { kind: 'absent' }] },
  { name: 'Notes', type: 'string', repairs: [] },
];
const reading = { name: 'a.csv', options: { header: '2', delimiter: ';' }, columns };

const send = (head: unknown, file: string | Buffer) =>
  control.send('/workflows/copying/runs?file=yes', {
    body: Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(file)]),
  });

/** The rows that the run was started with. */
async function rowsOf(answer: { readonly text: string }): Promise<string> {
  const { runId } = (JSON.parse(answer.text) as { data: { runId: string } }).data;
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId })).finishedAt, { timeout: 20_000 })
    .not.toBeNull();
  let text = '';
  for await (const { bytes } of await app.services.runs.readRows(runId, 'all'))
    text += Buffer.from(bytes).toString();
  return text;
}

describe('a run of a file', () => {
  const csv = 'Title;;\nName;Sum;Notes\n Ada ;1.234,50;x\nBo;k.A.;y\nCy;12k;z\n';
  const expected = '{"name":"Ada","amount":1234.5}\n{"name":"Bo"}\n{"name":"Cy","amount":"12k"}\n';

  it('has its rows with the options and columns of the preview', async () => {
    const answer = await send(reading, csv);
    expect(answer.status).toBe(201);
    expect(await rowsOf(answer)).toBe(expected);
  });

  it('may be packed with gzip', async () => {
    expect(await rowsOf(await send(reading, gzipSync(csv)))).toBe(expected);
  });

  it.each([
    ['without a reading', 'nothing', csv, 400, 'expected object'],
    ['with an option that is none', { ...reading, options: { header: 'x' } }, csv, 400, 'header must be'],
    ['that is no text', reading, Buffer.from('%PDF-1.7'), 400, 'it is a PDF'],
    ['with more rows than a run may have', reading, csv + 'x;1;y\n'.repeat(6), 413, 'more than 5 rows'],
  ])('%s is refused and leaves no run', async (_, head, file, status, words) => {
    const before = (await app.handlers['run.list']({ limit: 10 })).length;
    const answer = await send(head, file);
    expect(answer.text).toContain(words);
    expect(answer.status).toBe(status);
    expect(await app.handlers['run.list']({ limit: 10 })).toHaveLength(before);
  });
});
