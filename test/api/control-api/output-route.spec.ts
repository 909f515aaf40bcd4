// Outputs of a run as a file that a page saves.
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachableBufferBytes } from '../../builders/collect-garbage.ts';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { RawConnection } from '../../builders/raw-http.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const named = `rowbench: 1
id: named
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: fail, message: no, rows: [2] }
  - { id: result, type: output, after: [check], fields: { name: "=row.name", tags: "=row.tags" } }
`;

/** More than connections hold for a reader that has stopped. */
const large = `rowbench: 1
id: large
nodes:
  - { id: input, type: input }
  - { id: text, type: code, code: 'return "x".repeat(1e6);' }
  - { id: result, type: output, fields: { text: "=nodes.text" } }
`;

let app: TestApp;
let control: ControlCalls;

beforeAll(async () => {
  app = await startTestApp({ workflows: { ...sampleWorkflows, named, large }, limits: 'off' });
  control = await controlOf(app);
});

afterAll(() => app.close());

async function finished(workflowId: string, rows: readonly unknown[]): Promise<string> {
  const runId = await app.run(workflowId, rows);
  await expect
    .poll(async () => (await app.services.runs.get(runId)).run.finishedAt, { timeout: 20_000, interval: 20 })
    .not.toBeNull();
  return runId;
}

const get = (runId: string, format: string) =>
  control.send(`/runs/${runId}/outputs?format=${format}`, { method: 'GET' });

describe('outputs as a file', () => {
  it('come as JSON, NDJSON and CSV, formulas made harmless', async () => {
    const runId = await finished('named', [
      { name: '=1+1', tags: ['a'] },
      { name: 'lost', tags: [] },
      { name: 'محمد 🦉', tags: null },
      { name: '\t@x', tags: '-2' },
    ]);
    expect(JSON.parse((await get(runId, 'json')).text)).toEqual([
      { name: '=1+1', tags: ['a'] },
      null,
      { name: 'محمد 🦉', tags: null },
      { name: '\t@x', tags: '-2' },
    ]);
    expect((await get(runId, 'ndjson')).text.split('\n')).toHaveLength(5);
    expect((await get(runId, 'csv')).text).toBe(
      'row,name,tags\n1,\'=1+1,"[""a""]"\n3,محمد 🦉,\n4,"\'\t\'@x",-2\n',
    );
  });

  it('are those alone that hold what is searched for, under their numbers', async () => {
    const names = ['Ada', 'lost', 'Grace', 'ada two', 'é, "q"'];
    const runId = await finished(
      'named',
      names.map((name) => ({ name, tags: null })),
    );
    const found = (text: string, format: string) => get(runId, `${format}&text=${encodeURIComponent(text)}`);
    expect((await found('ADA', 'csv')).text).toBe('row,name,tags\n1,Ada,\n4,ada two,\n');
    expect(JSON.parse((await found('ada', 'json')).text)).toHaveLength(2);
    expect((await found('é, "Q"', 'ndjson')).text.trim()).toBe('{"name":"é, \\"q\\"","tags":null}');
    expect((await found('nobody', 'json')).text).toBe('[]\n');
  });

  it('of a run that failed are what there is', async () => {
    const runId = await finished('failing', [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    expect((await get(runId, 'csv')).text).toMatch(/^row,n\n1,1\n2,2\n/);
  });

  it('of an unknown run, in an unknown form, or without the token are refused', async () => {
    const runId = await finished('echo', [{}]);
    expect(await get('01900000-0000-7000-8000-000000000000', 'csv')).toMatchObject({ status: 404 });
    expect(await get(runId, 'xlsx')).toMatchObject({ status: 400 });
    const bare = await fetch(`${app.url}/_rowbench/v1/runs/${runId}/outputs?format=csv`);
    expect(bare.status).toBe(401);
  });

  it('hold no memory for readers that have stopped, and keep none from who reads', async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => ({ n, text: 'x'.repeat(200) }));
    const runId = await finished('echo', rows);
    const before = await reachableBufferBytes();
    const stopped = await Promise.all(Array.from({ length: 8 }, () => openStopped(runId)));
    const { text } = await get(runId, 'ndjson');
    expect(text.split('\n')).toHaveLength(50_001);
    // Eight times what is sent would be a hundred megabytes.
    expect((await reachableBufferBytes()) - before).toBeLessThan(50_000_000);
    for (const connection of stopped) connection.cut();
  });

  it('that must be looked into come to four readers at once, and to the next when one has gone', async () => {
    const runId = await finished(
      'large',
      Array.from({ length: 30 }, (_, n) => ({ n })),
    );
    const stopped = await Promise.all(Array.from({ length: 4 }, () => openUnread(runId)));
    expect(await get(runId, 'csv')).toMatchObject({ status: 503, code: 'too_many_exports' });
    expect(await get(runId, 'json&text=xxx')).toMatchObject({ status: 503 });
    stopped[0]?.destroy();
    await expect
      .poll(async () => (await get(runId, 'csv&text=none')).status, { timeout: 15_000, interval: 100 })
      .toBe(200);
    for (const answer of stopped) answer.destroy();
  });
});

/** A reader that asks and does not read. */
async function openStopped(runId: string): Promise<RawConnection> {
  const connection = await RawConnection.open(app.port);
  connection.pause();
  connection.send(
    `GET /_rowbench/v1/runs/${runId}/outputs?format=ndjson HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n` +
      `x-rowbench-token: ${control.token}\r\n\r\n`,
  );
  return connection;
}

/** An answer that has begun, and of which nothing more is read. */
const openUnread = (runId: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = `${app.url}/_rowbench/v1/runs/${runId}/outputs?format=csv`;
    request(url, { headers: { 'x-rowbench-token': control.token } }, (answer) => {
      answer.once('error', () => undefined);
      resolve(answer);
    })
      .once('error', reject)
      .end();
  });
