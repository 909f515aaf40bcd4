// A run that the app starts: its rows are streamed as in the public API, and its options are in the query.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { RawConnection } from '../../builders/raw-http.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const calling = `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - id: company
    type: http
    request: { method: GET, url: "https://api.example.com/{{ row.n }}" }
    mock: { known: { status: 200, body: { employees: 7 } }, gone: { status: 404, body: {} } }
  - { id: result, type: output, fields: { employees: "=nodes.company.body.employees" } }
`;
const maxRows = 200_000;
/** More rows than wait in memory before the first are stored. */
const storedAtOnce = 1500;

let app: TestApp;
let control: ControlCalls;

beforeAll(async () => {
  app = await startTestApp({
    workflows: { ...sampleWorkflows, calling },
    limits: 'off',
    settings: { maxRows },
  });
  control = await controlOf(app);
});

afterAll(() => app.close());

const start = (workflowId: string, body: string, query = '') =>
  control.send(`/workflows/${workflowId}/runs${query}`, { body });

async function started(workflowId: string, body: string, query = ''): Promise<string> {
  const answer = await start(workflowId, body, query);
  expect(answer.text).toContain('"success":true');
  expect(answer.status).toBe(201);
  return (JSON.parse(answer.text) as { data: { runId: string } }).data.runId;
}

async function finished(runId: string) {
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId })).finishedAt, { timeout: 20_000 })
    .not.toBeNull();
  return app.handlers['run.show']({ runId });
}

async function outputs(runId: string): Promise<unknown[]> {
  let text = '';
  for await (const { bytes } of app.services.runs.readOutputs(runId)) text += Buffer.from(bytes).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => (line === '' ? undefined : (JSON.parse(line) as unknown)));
}

describe('a run that the app starts', () => {
  it('stores how the file of its rows was read, and so does a rerun of its rows', async () => {
    const readAs = {
      file: 'orders.csv',
      options: { delimiter: ';', header: '3', strict: false },
      text: 'orders.csv: delimiter ";", header in line 3',
    };
    const query = `?readAs=${encodeURIComponent(JSON.stringify(readAs))}`;
    const runId = await started('echo', '{"rows":[{"n":1}]}', query);
    expect((await finished(runId)).readAs).toEqual(readAs);
    const again = await app.handlers['run.rerun']({ runId, rows: 'all' });
    expect((await finished(again.runId)).readAs).toEqual(readAs);
    const edited = await app.handlers['run.rerun']({ runId, rows: { lines: '{"n":2}\n' } });
    expect((await finished(edited.runId)).readAs).toBeUndefined();
    const ofFile = { ...readAs, file: 'more.csv' };
    const other = await app.handlers['run.rerun']({ runId, rows: { lines: '{"n":2}\n', readAs: ofFile } });
    expect((await finished(other.runId)).readAs).toEqual(ofFile);
    expect(await start('echo', '{"rows":[{}]}', '?readAs=1')).toMatchObject({ status: 400 });
  });

  it('has the rows of the body, and the app as its origin', async () => {
    const runId = await started('echo', '{"rows":[{"name":"Ada"},{"name":"آدا 🦉"}]}');
    expect(await finished(runId)).toMatchObject({ status: 'completed', origin: 'app', rows: 2 });
    expect(await outputs(runId)).toEqual([{ row: { name: 'Ada' } }, { row: { name: 'آدا 🦉' } }]);
  });

  it('may have 100,000 rows', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => `{"n":${n}}`).join(',');
    const runId = await started('echo', `{"rows":[${rows}]}`);
    expect(await finished(runId)).toMatchObject({ status: 'completed', rowsDone: 100_000 });
  });

  it('asks nobody outside in mode mocks, and takes the mocks that are named', async () => {
    const mocks = encodeURIComponent('{"company":"known"}');
    const runId = await started('calling', '{"rows":[{"n":1}]}', `?mode=mocks&mocks=${mocks}`);
    expect(await finished(runId)).toMatchObject({ status: 'completed' });
    expect(await outputs(runId)).toEqual([{ employees: 7 }]);
    expect(await start('calling', '{"rows":[]}', '?mocks=%7B%22company%22%3A%22x%22%7D')).toMatchObject({
      status: 400,
      code: 'invalid_input',
    });
  });

  it('that repeats edited rows is linked to their run and keeps their numbers', async () => {
    const original = await app.run('failing', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await finished(original)).toMatchObject({ status: 'failed' });
    const runId = await started('failing', '{"numbers":[2],"rows":[{"n":22}]}', `?rerunOf=${original}`);
    expect(await finished(runId)).toMatchObject({ status: 'completed', rerunOf: original, rows: 1 });
    expect(await app.handlers['run.trace']({ runId, row: 2 })).toMatchObject({ row: 2, state: 'done' });
    await expect(app.handlers['run.trace']({ runId, row: 1 })).rejects.toThrow('The run has no row 1');
    const plain = await started('failing', '{"rows":[{"n":22}]}', `?rerunOf=${original}`);
    expect(await finished(plain)).toMatchObject({ rerunOf: original });
  });

  it('that repeats rows without their numbers does not complete their run, nor does a sample of such rows', async () => {
    const original = await app.run('echo', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await finished(original);
    const kindOf = async (body: string, query = '') => {
      const runId = await started('echo', body, `?rerunOf=${original}${query}`);
      return (await finished(runId)).rerunKind;
    };
    expect(await kindOf('{"numbers":[2],"rows":[{"n":22}]}')).toBe('completes');
    expect(await kindOf('{"numbers":[1,3],"rows":[{},{}]}', '&sample=first%3A1')).toBe('completes');
    expect(await kindOf('{"numbers":[2],"rows":[{"n":22}]}', '&scenario=slow%3D1ms')).toBe('otherAnswers');
    expect(await kindOf('{"rows":[{"n":22}]}')).toBe('otherRows');
    expect(await kindOf('{"rows":[{"n":1},{"n":9}]}', '&sample=first%3A1')).toBe('otherRows');
  });
});

describe('a start that is refused leaves nothing behind:', () => {
  it.each([
    ['echo', '{"rows":[{"a":1},[]]}', '', 400, 'rows[1] is not an object (row 2)'],
    ['echo', '{"rows":[{"a":1}', '', 400, 'its JSON ends too early'],
    ['echo', '{"nodes":{}}', '', 400, 'it has "nodes" but no "rows"'],
    ['echo', '', '', 400, 'it is empty'],
    ['echo', '{"rows":[]}', '?mode=fast', 400, 'The run cannot be started: mode'],
    ['echo', '{"rows":[]}', '?wait=1', 400, 'wait'],
    ['echo', '{"rows":[]}', '?mode=live&mode=mocks', 400, 'there twice'],
    ['echo', '{"rows":[]}', '?mocks=x', 400, 'mocks'],
    ['echo', '{"rows":[]}', '?scenario=500+errors', 400, 'there is no "500-errors"'],
    ['echo', '{"rows":[]}', '?rerunOf=0197a0c2-0000-7000-8000-0123456789ab', 404, 'Workflow run not found'],
    ['broken', '{"rows":[]}', '', 422, 'Workflow "broken" cannot run'],
    ['no-such', '{"rows":[]}', '', 404, 'no-such'],
    ['..%2F..', '{"rows":[]}', '', 404, ''],
  ])('%s %s %s', async (workflowId, body, query, status, words) => {
    const before = await app.storedRuns();
    const answer = await start(workflowId, body, query);
    expect(answer.text.replaceAll('\\"', '"')).toContain(words);
    expect(answer.status).toBe(status);
    await expect.poll(() => app.storedRuns()).toEqual(before);
  });

  it('numbers that are not those of the run that is repeated', async () => {
    const original = await app.run('echo', [{}, {}, {}]);
    await finished(original);
    const before = await app.storedRuns();
    const repeat = (body: string) => start('echo', body, `?rerunOf=${original}`);
    expect((await repeat('{"numbers":[9],"rows":[{}]}')).text).toContain('9');
    expect((await repeat('{"numbers":[1,2],"rows":[{}]}')).text).toContain('2 numbers were given for 1 rows');
    expect((await repeat('{"numbers":[2,1],"rows":[{},{}]}')).text).toContain('1 comes after 2');
    expect((await repeat('{"rows":[]}')).text).toContain('no rows left to repeat');
    expect((await repeat('{"rows":[{}], "numbers":[1]')).status).toBe(400);
    expect((await start('quick', '{"rows":[{}]}', `?rerunOf=${original}`)).status).toBe(404);
    expect((await start('failing', '{"rows":[{}]}', `?rerunOf=${original}`)).text).toContain(
      'A run of \\"failing\\" cannot repeat one of \\"echo\\"',
    );
    await expect.poll(() => app.storedRuns()).toEqual(before);
  });

  it('a workflow that was imported and is not trusted', async () => {
    const folder = join(app.dataDir, 'workflows', 'brought');
    await mkdir(folder);
    await writeFile(
      join(folder, 'brought.workflow.yaml'),
      sampleWorkflows.echo.replace('id: echo', 'id: brought'),
    );
    expect(await start('brought', '{"rows":[{}]}')).toMatchObject({
      status: 403,
      code: 'workflow_untrusted',
    });
  });

  it('an upload that is cut off', async () => {
    const before = await app.storedRuns();
    const connection = await RawConnection.open(app.port);
    connection.send(
      [
        'POST /_rowbench/v1/workflows/echo/runs HTTP/1.1',
        `Host: 127.0.0.1:${app.port}`,
        `x-rowbench-token: ${control.token}`,
        'Content-Type: application/json',
        'Content-Length: 1000000',
        '\r\n',
      ].join('\r\n'),
    );
    // So many that some are stored before the others have come.
    connection.send(`{"rows":[${'{"a":1},'.repeat(storedAtOnce)}`);
    await expect.poll(async () => (await app.storedRuns()).length).toBe(before.length + 1);
    connection.cut();
    await expect.poll(() => app.storedRuns()).toEqual(before);
  });

  it('more rows than a run may have', async () => {
    const rows = new Array<string>(maxRows + 1).fill('{}').join(',');
    expect(await start('echo', `{"rows":[${rows}]}`)).toMatchObject({ status: 413 });
  });

  it('a call without the token, before anything else', async () => {
    const answer = await control.send('/workflows/no-such/runs', { headers: { 'x-rowbench-token': 'x' } });
    expect(answer).toMatchObject({ status: 401 });
    expect(await control.send('/workflows/echo/runs', { method: 'GET' })).toMatchObject({ status: 405 });
  });
});
