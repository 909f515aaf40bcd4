// Section 4.1 of the interface: bodies that a trigger accepts, its answers, and that a refused trigger stores nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { RawConnection, type RawAnswer } from '../../builders/raw-http.ts';
import {
  failure,
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  workflowPath,
  type TestApp,
} from '../../builders/start-test-app.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const maxBodyBytes = 20_000;
const maxRows = 3000;
/** Rows that wait in memory before they are stored. */
const rowsInMemory = 1000;

let clock: FakeClock;
let app: TestApp;

beforeAll(async () => {
  clock = new FakeClock();
  app = await startTestApp({
    workflows: sampleWorkflows,
    clock,
    limits: 'off',
    settings: { maxBodyBytes, maxRows },
  });
});

afterAll(() => app.close());

type Triggered = { success: boolean; data: { workflowId: string; runId: string; status: string } };

async function outputsOf(workflowId: string, runId: string): Promise<readonly unknown[]> {
  await expect
    .poll(async () => ((await app.call(statusPath(workflowId, runId))).body as { data: unknown }).data)
    .toMatchObject({ status: 'completed' });
  const { body } = await app.call(outputPath(workflowId, runId));
  return Object.values((body as { data: Record<string, unknown> }).data);
}

const badBody = (problem: string) =>
  failure(`Invalid request body: ${problem}. Expected a JSON object with a "rows" array of objects`);

/** The head of a trigger, for bodies that no well-behaved client sends. */
const rawHead = (headers: readonly string[]): string =>
  [
    `POST ${workflowPath('echo')} HTTP/1.1`,
    `Host: 127.0.0.1:${app.port}`,
    `x-service-key: ${app.key}`,
    'Content-Type: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n');

describe('an accepted trigger', () => {
  it('answers 201 with the workflow, a new run id and the status queued', async () => {
    const reply = await app.trigger('echo', '{"rows":[{"a":1}]}');
    expect(reply.status).toBe(201);
    const { data } = reply.body as Triggered;
    expect(reply.body).toEqual({
      success: true,
      data: { workflowId: 'echo', runId: expect.any(String) as unknown, status: 'queued' },
    });
    expect(await outputsOf('echo', data.runId)).toEqual([{ row: { a: 1 } }]);
  });

  it('with no rows completes with an empty output', async () => {
    const runId = await app.run('echo', []);
    expect(await outputsOf('echo', runId)).toEqual([]);
  });

  it('ignores members beside rows', async () => {
    const reply = await app.trigger('echo', '{"nodes":{"rows":1},"rows":[{}],"x":[]}');
    expect(reply.status).toBe(201);
  });

  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'may declare its body as %s',
    async (type) => {
      expect((await app.trigger('echo', '{"rows":[]}', { headers: { 'content-type': type } })).status).toBe(
        201,
      );
    },
  );

  it.each([
    '{"__proto__":{"polluted":1},"constructor":1,"toString":2,"length":3,"":4}',
    '{"\\u0000":"\\r\\n","a":"\u2028\u2029</script>\u202e👩‍👩‍👧"}',
    '{"\u00e9":1,"e\u0301":2,"lone":"\\ud800"}',
    `{"deep":${nested(97)}}`,
  ])('gives a row back as it was sent: %s', async (row) => {
    const { body } = await app.trigger('echo', `{"rows":[${row}]}`);
    const [output] = await outputsOf('echo', (body as Triggered).data.runId);
    expect(JSON.stringify(output)).toBe(JSON.stringify({ row: JSON.parse(row) as unknown }));
    expect('polluted' in {}).toBe(false);
  });

  it('may come in chunks, and wait for 100 Continue', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(rawHead(['Transfer-Encoding: chunked', 'Expect: 100-continue']));
    expect((await connection.answer())?.status).toBe(100);
    for (const part of ['{"rows"', ':[{"a":', '"1"}]}']) {
      connection.send(`${part.length.toString(16)}\r\n${part}\r\n`);
    }
    connection.send('0\r\n\r\n');
    expect((await connection.answer())?.status).toBe(201);
    connection.cut();
  });

  it('stays accepted when the client goes without reading the answer', async () => {
    const before = await app.services.runs.list({});
    const connection = await RawConnection.open(app.port);
    connection.pause();
    connection.send(`${rawHead(['Content-Length: 13'])}{"rows":[{}]}`);
    await expect.poll(async () => (await app.services.runs.list({})).length).toBe(before.length + 1);
    connection.cut();
    const [newest] = await app.services.runs.list({ limit: 1 });
    expect(await outputsOf('echo', newest?.run.runId ?? '')).toEqual([{ row: {} }]);
  });
});

describe('a refused trigger leaves nothing behind:', () => {
  let before: readonly string[];

  beforeAll(async () => {
    before = await app.storedRuns();
  });

  afterEach(async () => {
    // The server goes on, and nothing of the refused run is on disk, whole or half.
    await expect.poll(() => app.storedRuns()).toEqual(before);
    expect((await app.call('/openapi.json')).status).toBe(200);
  });

  it.each([
    ['', 'it is empty'],
    ['{}', '"rows" is missing'],
    ['[]', 'it is not a JSON object'],
    ['"x"', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['{"nodes":{}}', 'it has "nodes" but no "rows"'],
    ['{"rows":{}}', '"rows" is not an array'],
    ['{"rows":[{},{},"x"]}', 'rows[2] is not an object (row 3)'],
    ['{"rows":[null]}', 'rows[0] is not an object (row 1)'],
    ['{"rows":[[]]}', 'rows[0] is not an object (row 1)'],
    ['{"rows":[],"rows":[]}', '"rows" is there twice'],
    ['{"rows":[]}{"rows":[]}', 'there is more after its end'],
    ['{"rows":[{}', 'its JSON ends too early'],
    ['{"rows":[{"a":1e400}]}', 'a number in rows[0] is too large (row 1)'],
    ['{"rows":[{"a":NaN}]}', 'it is not JSON: "N" at byte 15 is out of place'],
  ])('400 for the body %j', async (body, problem) => {
    const reply = await app.trigger('echo', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(badBody(problem));
  });

  it('400 for 101 levels of nesting, in a whole body or in one without an end', async () => {
    for (const body of [`{"rows":[{"a":${nested(98)}}]}`, '{"rows":[{"a":'.padEnd(maxBodyBytes, '[')]) {
      const reply = await app.trigger('echo', body);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(badBody('it is nested deeper than 100 levels'));
    }
  });

  it.each([
    [0xff, 0xfe],
    [0xc0, 0xaf],
    [0xe2, 0x82],
  ])('400 for bytes that are not UTF-8: %d %d', async (...bytes) => {
    const body = Buffer.concat([Buffer.from('{"rows":[{"a":"'), Buffer.from(bytes), Buffer.from('"}]}')]);
    const reply = await app.trigger('echo', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(badBody('it is not valid UTF-8'));
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-7',
    'application/json; charset=utf-16',
    'application/json;;',
    'application/vnd+json',
    '',
  ])('400 for the type %j', async (type) => {
    const reply = await app.trigger('echo', Buffer.from('{"rows":[]}'), {
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(badBody('its Content-Type must be application/json in UTF-8'));
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip'])('400 for the encoding %s', async (encoding) => {
    const reply = await app.trigger('echo', '{"rows":[]}', { headers: { 'content-encoding': encoding } });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(badBody('a Content-Encoding is not accepted'));
  });

  it('400 without any body or type', async () => {
    expect((await app.call(workflowPath('echo'), { method: 'POST' })).status).toBe(400);
  });

  it('413 for one row too many', async () => {
    const reply = await app.trigger(
      'echo',
      JSON.stringify({ rows: Array.from({ length: maxRows + 1 }, () => ({})) }),
    );
    expect(reply.status).toBe(413);
    expect(reply.body).toEqual(failure(`Request body too large: it has more than ${maxRows} rows`));
  });

  it('413 for a body of one byte too many, declared or in chunks', async () => {
    const body = '{"rows":[]}'.padEnd(maxBodyBytes + 1);
    const tooLarge = failure(`Request body too large: it has more than ${maxBodyBytes} bytes`);
    const declared = await app.trigger('echo', body);
    expect([declared.status, declared.body]).toEqual([413, tooLarge]);
    const connection = await RawConnection.open(app.port);
    connection.send(`${rawHead(['Transfer-Encoding: chunked'])}${body.length.toString(16)}\r\n${body}\r\n`);
    const chunked = await connection.answer();
    expect([chunked?.status, JSON.parse(chunked?.body ?? '')]).toEqual([413, tooLarge]);
    connection.cut();
  });

  it.each(['1000000000', '1000000000000'])(
    '413 at once for a declared length of %s bytes',
    async (length) => {
      const connection = await RawConnection.open(app.port);
      connection.send(`${rawHead([`Content-Length: ${length}`])}{"rows":[`);
      expect(await connection.answer()).toMatchObject({ status: 413, headers: { connection: 'close' } });
      connection.cut();
    },
  );

  it.each([0, 0.1, 0.5, 0.9, 0.99])('a connection cut at %d of the body', async (share) => {
    const count = 2500;
    const body = JSON.stringify({ rows: Array<object>(count).fill({}) });
    const connection = await RawConnection.open(app.port);
    connection.send(`${rawHead([`Content-Length: ${body.length}`])}${body.slice(0, share * body.length)}`);
    // What is stored of the rows is on disk before it is given up.
    if (share * count > rowsInMemory)
      await expect.poll(async () => (await app.storedRuns()).length).toBe(before.length + 1);
    connection.cut();
  });

  it('408 for a body that pauses for too long', async () => {
    const connection = await RawConnection.open(app.port);
    const begun = `{"rows":[${'{},'.repeat(2 * rowsInMemory)}`;
    connection.send(`${rawHead([`Content-Length: ${maxBodyBytes}`])}${begun}`);
    await expect.poll(async () => (await app.storedRuns()).length).toBe(before.length + 1);
    let answer: RawAnswer | undefined;
    void connection.answer().then((got) => (answer = got));
    await expect
      .poll(() => {
        clock.advance(10_000);
        return answer;
      })
      .toMatchObject({ status: 408, headers: { connection: 'close' } });
    expect(JSON.parse(answer?.body ?? '')).toEqual(failure("The request's body took too long to arrive"));
    connection.cut();
  });
});

describe('at the limits', () => {
  it('a body of exactly the largest size and as many rows as allowed is accepted', async () => {
    expect((await app.trigger('echo', '{"rows":[]}'.padEnd(maxBodyBytes))).status).toBe(201);
    expect((await app.trigger('echo', JSON.stringify({ rows: Array(maxRows).fill({}) }))).status).toBe(201);
  });

  it('a workflow whose file has errors is a 422 that says where', async () => {
    const reply = await app.trigger('broken', '{"rows":[]}');
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ success: false, error: expect.stringContaining('line 5') as unknown });
  });
});
