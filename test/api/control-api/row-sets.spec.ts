// Rows that row entry loads and saves: rows of runs, of a workflow's tests, and of named row sets.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { longestTurn } from '../../builders/longest-turn.ts';
import { openStores } from '../../builders/run-stores.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { RowSetService } from '../../../src-main/services/rowsets/row-set-service.ts';

const tried = `rowbench: 1
id: tried
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true, description: Who it is }
      age: { type: number }
    testRows: tried.rows.csv
  - { id: result, type: output, fields: { name: "=row.name" } }
`;
const inline = `rowbench: 1
id: inline
nodes:
  - { id: input, type: input, testRows: [{ name: Ada }, { name: 🦉 }] }
  - { id: result, type: output, fields: { name: "=row.name" } }
`;

let app: TestApp;
let control: ControlCalls;

beforeAll(async () => {
  app = await startTestApp({ workflows: { ...sampleWorkflows, tried, inline }, limits: 'off' });
  control = await controlOf(app);
  await writeFile(
    join(app.dataDir, 'workflows', 'tried.rows.csv'),
    '\ufeffname,age\r\nAda,36\r\n"Grace, H.",\r\n',
  );
});

afterAll(() => app.close());

const pairs = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

const get = (path: string) => control.send(path, { method: 'GET' });

async function save(name: string, rows: readonly unknown[], query = '') {
  const body = JSON.stringify({ rows });
  const path = `/workflows/echo/row-sets?name=${encodeURIComponent(name)}${query}`;
  const answer = await control.send(path, { body });
  const { data } = JSON.parse(answer.text) as { data?: { id: string; name: string; rows: number } };
  return { ...answer, set: data };
}

describe('rows of a run', () => {
  it('are handed out with their numbers, all or those that failed', async () => {
    const runId = await app.run('failing', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('failed');
    const all = await get(`/runs/${runId}/rows`);
    expect(pairs(all.text)).toEqual([
      [1, { n: 1 }],
      [2, { n: 2 }],
      [3, { n: 3 }],
    ]);
    const failed = pairs((await get(`/runs/${runId}/rows?which=failed`)).text);
    expect(failed).toContainEqual([3, { n: 3 }]);
    expect(await get(`/runs/${runId}/rows?which=some`)).toMatchObject({ status: 400 });
  });

  it('that failed are answered with the node and message of each failure', async () => {
    const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];
    const runId = await app.run('failing', rows);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('failed');
    const [failure] = (await app.handlers['run.show']({ runId })).failures;
    const answer = await get(`/runs/${runId}/failures`);
    expect(pairs(answer.text)).toEqual([
      { fieldsRead: expect.any(Object) as object },
      [failure?.row, failure?.nodeId, failure?.message],
    ]);
    const echo = await app.run('echo', rows);
    const none = await get(`/runs/${echo}/failures`);
    expect(none.status).toBe(200);
    expect(pairs(none.text)).toEqual([{ fieldsRead: expect.any(Object) as object }]);
    expect(await get('/runs/0197a0c2-0000-7000-8000-0123456789ab/failures')).toMatchObject({ status: 404 });
  });

  it('that failed are not known while it runs, and an unknown run has none', async () => {
    const runId = await app.run('waiting', [{ n: 1 }]);
    expect(await get(`/runs/${runId}/rows?which=failed`)).toMatchObject({ status: 409 });
    expect(await get('/runs/0197a0c2-0000-7000-8000-0123456789ab/rows')).toMatchObject({ status: 404 });
    await app.handlers['run.cancel']({ runId });
  });
});

describe('test rows of a workflow', () => {
  it('come from its file or the one beside it, typed as its input node says', async () => {
    expect(pairs((await get('/workflows/tried/test-rows')).text)).toEqual([
      [1, { name: 'Ada', age: 36 }],
      [2, { name: 'Grace, H.' }],
    ]);
    expect(pairs((await get('/workflows/inline/test-rows')).text)).toEqual([
      [1, { name: 'Ada' }],
      [2, { name: '🦉' }],
    ]);
    expect(await get('/workflows/echo/test-rows')).toMatchObject({ status: 404 });
    expect(await get('/workflows/no-such/test-rows')).toMatchObject({ status: 404 });
  });

  it('are counted', async () => {
    expect(await app.handlers['workflow.testRows']({ workflowId: 'tried' })).toEqual({ total: 2 });
    expect(await app.handlers['workflow.testRows']({ workflowId: 'inline' })).toEqual({ total: 2 });
    expect(await app.handlers['workflow.testRows']({ workflowId: 'echo' })).toBeNull();
  });

  // A file of 7 MB kept the server silent for 0.8 s.
  it('of a large file are read in pieces, so that the server stays responsive', async () => {
    const many = tried.replace('id: tried', 'id: many').replace('tried.rows.csv', 'many.rows.json');
    const folder = join(app.dataDir, 'workflows');
    const rows = Array.from({ length: 150_000 }, (_, at) => `{"age":${at}}`);
    await writeFile(join(folder, 'many.rows.json'), `[${rows.join(',')}]`);
    await writeFile(join(folder, 'many.workflow.yaml'), many);
    await expect
      .poll(async () => (await app.handlers['workflow.list']({})).map(({ id }) => id))
      .toContain('many');
    const count = () => app.handlers['workflow.testRows']({ workflowId: 'many' });
    const { result, longestPart } = await longestTurn(count);
    expect(result?.total).toBe(150_000);
    expect(longestPart).toBeLessThan(0.5);
  });

  it('with a cell that does not fit its type have its text', async () => {
    const file = join(app.dataDir, 'workflows', 'tried.rows.csv');
    await writeFile(file, 'name,age\nAda,old\n');
    const answer = await get('/workflows/tried/test-rows');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('{"name":"Ada","age":"old"}');
  });

  it('that cannot be read say where', async () => {
    const file = join(app.dataDir, 'workflows', 'tried.rows.csv');
    await writeFile(file, Buffer.from([0, 1, 2, 0, 0, 3]));
    const answer = await get('/workflows/tried/test-rows');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('tried.rows.csv');
  });

  it('and row entry gets its fields', async () => {
    expect(await app.handlers['rows.entry']({ workflowId: 'tried' })).toEqual({
      fields: [
        { name: 'name', type: 'string', required: true, description: 'Who it is' },
        { name: 'age', type: 'number', required: false },
      ],
      hasTestRows: true,
      modes: ['live'],
      mocks: [],
      profiles: [],
      maxRows: 1_000_000,
      connections: [],
    });
    expect((await app.handlers['workflow.show']({ workflowId: 'tried' })).fields).toHaveLength(2);
  });
});

describe('a row set', () => {
  it('is kept, listed, handed out, renamed, removed and brought back', async () => {
    const { set } = await save('عملاء 🦉', [{ a: 1 }, { a: '\u2028' }]);
    expect(set).toMatchObject({ name: 'عملاء 🦉', rows: 2 });
    const id = set?.id ?? '';
    expect(pairs((await get(`/row-sets/${id}/rows`)).text)).toEqual([
      [1, { a: 1 }],
      [2, { a: '\u2028' }],
    ]);
    await app.handlers['rows.rename']({ id, name: 'second' });
    const names = async () =>
      (await app.handlers['rows.list']({ workflowId: 'echo' })).map(({ name }) => name);
    expect(await names()).toEqual(['second']);
    await app.handlers['rows.remove']({ id });
    expect(await names()).toEqual([]);
    expect(await get(`/row-sets/${id}/rows`)).toMatchObject({ status: 404, code: 'row_set_not_found' });
    await app.handlers['rows.restore']({ id });
    expect(await names()).toEqual(['second']);
    await app.handlers['rows.remove']({ id });
  });

  it('takes a name that is free, or the place of the one that has it', async () => {
    await save('twice', [{ a: 1 }]);
    expect(await save('twice', [])).toMatchObject({ status: 400 });
    const { set } = await save('twice', [{ a: 2 }], '&replaces=yes');
    expect(await app.handlers['rows.list']({ workflowId: 'echo' })).toMatchObject([{ id: set?.id, rows: 1 }]);
  });

  it.each(['', '  ', 'a\nb', 'x'.repeat(101)])('is not named %j', async (name) => {
    expect((await save(name, [])).status).toBe(400);
  });

  it('leaves nothing behind when its rows are no rows', async () => {
    const stored = () => Promise.all([app.storedRuns(), app.handlers['rows.list']({ workflowId: 'echo' })]);
    const before = await stored();
    const answer = await control.send('/workflows/echo/row-sets?name=bad', { body: '{"rows":[{},1]}' });
    expect(answer.status).toBe(400);
    await expect.poll(stored).toEqual(before);
  });

  it('may have 100,000 rows', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, name: `row ${n}` }));
    const { set } = await save('many', rows);
    const { text } = await get(`/row-sets/${set?.id ?? ''}/rows`);
    expect(pairs(text)).toHaveLength(100_000);
    expect(text.endsWith('[100000,{"n":99999,"name":"row 99999"}]\n')).toBe(true);
  });

  it('may have rows of many megabytes', async () => {
    const rows = [{ n: 1 }, { text: 'é'.repeat(1_500_000) }, { n: 3 }];
    const { set } = await save('large', rows);
    const { text } = await get(`/row-sets/${set?.id ?? ''}/rows`);
    expect(pairs(text)).toEqual(rows.map((row, index) => [index + 1, row]));
  });

  it('a kept row set is there after a restart; one that was removed, or half arrived, is gone', async () => {
    const path = join(await temporaryFolder(), 'data');
    const open = async () => {
      const stores = await openStores(path);
      return { stores, sets: new RowSetService({ store: stores.rowSets, clock: systemClock }) };
    };
    const first = await open();
    const keep = (name: string) =>
      first.sets.save({ workflowId: 'echo', name, replaces: false }, async (draft) => {
        await draft.write(Buffer.from('{"a":1}\n{"a":2}\n'));
        return 2;
      });
    const stored = await keep('kept');
    await first.sets.remove((await keep('removed')).id);
    const half = await first.stores.rowSets.openWriter();
    await half.write(Buffer.from('{}\n'.repeat(2000)));
    await first.stores.close();
    const second = await open();
    expect(await second.sets.list('echo')).toEqual([stored]);
    await second.stores.close();
  });
});
