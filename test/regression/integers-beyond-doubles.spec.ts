// An integer that no double holds lost digits without a word: 812345678901234567 became 812345678901234600, in rows, answers,
// recordings, tables and new files. It is text with its digits now, or an error at its place.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Column } from '../../src-main/contract/index.ts';
import { readExpectedRows } from '../../src-main/services/tests/expected-rows.ts';
import { parseCurl } from '../../src-main/domain/authoring/create/parse-curl.ts';
import { plainJson } from '../../src-main/domain/cassette/plain-json.ts';
import { readCassette } from '../../src-main/domain/cassette/read-cassette.ts';
import { parseCondition } from '../../src-main/domain/query/parse-condition.ts';
import { createRowReader } from '../../src-main/domain/rows/files/create-row-reader.ts';
import { parseExactJson } from '../../src-main/domain/rows/exact-json.ts';
import { parseTests } from '../../src-main/domain/tests/parse-tests.ts';
import { parseWorkflow } from '../../src-main/domain/workflow/parse-workflow.ts';
import { RowSplitter } from '../../src-main/http/row-splitter.ts';
import { typedBound, typedValues } from '../../src-renderer/state/run/rows/value-tests.ts';
import { runRows, testPool } from '../builders/execution-rig.ts';
import { runCli } from '../builders/run-cli.ts';
import { answered, scriptedUpstream } from '../builders/scripted-upstream.ts';
import { outputPath, startTestApp, type TestApp } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const id = '743210987654321123';
const echo = `rowbench: 1
id: echo
onRowError: skip
nodes:
  - { id: input, type: input, fields: { size: { type: number } } }
  - { id: result, type: output, fields: { id: "=row.id", list: "=row.list", size: "=row.size" } }
`;

describe('a run of rows with such integers', () => {
  let app: TestApp;
  let runId: string;

  beforeAll(async () => {
    app = await startTestApp({ workflows: { echo }, limits: 'off' });
    const rows = `{"id":${id},"list":[-${id},9007199254740992],"size":1.5},{"id":2,"size":${id}}`;
    const reply = await app.trigger('echo', `{"rows":[${rows}]}`);
    runId = (reply.body as { data: { runId: string } }).data.runId;
  });

  afterAll(() => app.close());

  it('has their digits in the outputs', async () => {
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    const { body } = await app.call(outputPath('echo', runId));
    const [first] = Object.values((body as { data: Record<string, unknown> }).data);
    expect(first).toEqual({ id, list: [`-${id}`, 9007199254740992], size: 1.5 });
  });

  it('fails the row whose field is declared as number', async () => {
    const trace = await app.handlers['run.trace']({ runId, row: 2 });
    expect(JSON.stringify(trace)).toContain(`size is ${id}, which no number holds: declare it as string`);
  });

  it.each([
    ['input', 'id'],
    ['output', 'id'],
  ] as const)('shows and finds them by the digits of the %s', async (of, name) => {
    const column: Column = { of, name };
    const selection = {
      conditions: [{ of: 'column', column, test: { is: 'equals', value: id } }],
    } as const;
    await expect
      .poll(() => app.handlers['run.table']({ runId, selection, from: 1, count: 10 }))
      .toMatchObject({ isReady: true, total: 1, rows: [{ row: 1 }] });
  });
});

it('an answer of a service keeps the digits, and the trace counts the numbers', async () => {
  const upstream = scriptedUpstream(() => answered('application/json', `{"id":${id},"ids":[${id}]}`));
  const nodes = `
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "https://api.example.com/a" } }
  - { id: out, type: output, fields: { got: "=nodes.call.body" } }`;
  const { outputs, traces } = await runRows(nodes, { pool: testPool(), rows: [{}], upstream });
  expect(outputs).toEqual([{ got: { id, ids: [id] } }]);
  expect(traces.map(({ logs }) => logs)).toEqual([[[1, 'info', '2 numbers kept as text']]]);
});

it('a recording keeps the text of an answer whose digits JSON would lose', () => {
  expect(plainJson(`{"id":${id}}`)).toBeUndefined();
  expect(plainJson(`{"id":"${id}"}`)).toEqual({ id });
  expect(readCassette(`{"rowbench":1,"id":${id}}`)).toMatchObject({ problem: expect.any(String) as string });
});

it.each(['json', 'ndjson'] as const)('rows of a %s file keep the digits', (format) => {
  const reader = createRowReader(format, new Map());
  const line = `{"id":${id}}`;
  const rows = [...reader.push(format === 'json' ? `[${line}]` : `${line}\n`), ...reader.end()];
  expect(rows).toEqual([`{"id":"${id}"}`]);
});

it('a cell of a CSV file in a number field stays text, so that its row fails alone', () => {
  const reader = createRowReader('csv', new Map([['size', 'number']]));
  expect([...reader.push(`size\n${id}\n00000000000000000012\n`), ...reader.end()]).toEqual([
    `{"size":"${id}"}`,
    '{"size":12}',
  ]);
});

it('a literal in a workflow or tests file is an error with its place and the fix', () => {
  const workflow = parseWorkflow(echo.replace('id: echo', `id: echo\nvars: { tenant: ${id} }`));
  const message = `The number ${id} loses digits: put quotes around it`;
  expect(workflow.issues).toEqual([{ severity: 'error', message, line: 3, column: 17 }]);
  const tests = parseTests(
    `tests:\n  - name: a\n    rows: [{ id: ${id} }]\n    expect: { status: completed }\n`,
  );
  expect(tests.issues).toMatchObject([{ severity: 'error', message, line: 3 }]);
});

it('a pasted curl command keeps a body that JSON would change as text', () => {
  const bodyOf = (data: string): unknown => {
    const parsed = parseCurl(
      `curl https://api.example.com/a -H 'content-type: application/json' -d '${data}'`,
    );
    return 'call' in parsed ? [parsed.call.body, parsed.call.headers['content-type']] : parsed;
  };
  for (const data of [`{"id":${id}}`, '{"price":1.10}', '{"a":1,"a":2}', '{"2":1,"1":2}', '{"a":-0}'])
    expect(bodyOf(data)).toEqual([data, 'application/json']);
  expect(bodyOf('{ "a": [1.5, "1.10\\u00e9", true] }')).toEqual([{ a: [1.5, '1.10é', true] }, undefined]);
});

it('a condition means the digits that the user typed', () => {
  expect(parseCondition(`output.id = ${id}`)).toMatchObject([{ test: { is: 'equals', value: id } }]);
  expect(typedValues(id)).toEqual([id]);
  expect([id, `-${id}`, '9007199254740992', '1.5', '2026-01-31'].map(typedBound)).toEqual([
    id,
    `-${id}`,
    9007199254740992,
    1.5,
    '2026-01-31',
  ]);
});

it('a new workflow of rows has the digits in its test rows', async () => {
  const folder = await temporaryFolder();
  const rows = join(folder, 'rows.json');
  await writeFile(rows, `[{"id":${id}}]`);
  expect(await runCli(['new', 'big', '--rows', rows, '--dir', folder])).toMatchObject({ code: 0 });
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  expect(texts.filter((text) => text.includes(`'${id}'`) && text.includes('type: string'))).toHaveLength(1);
});

// A file of expected rows was read as doubles, so an output of 743210987654321200 passed against this integer.
it('a file of expected rows keeps the digits', async () => {
  const file = join(await temporaryFolder(), 'expected.json');
  await writeFile(file, `[{"id":${id}},\nnull, {"n":9007199254740992}]`);
  const lines = [...(await readExpectedRows(file)).lines()].map((line) =>
    Buffer.from(line).toString().trim(),
  );
  expect(lines).toEqual([`{"id":"${id}"}`, 'null', '{"n":9007199254740992}']);
  await writeFile(file, `[{${id}:1}]`);
  await expect(readExpectedRows(file)).rejects.toThrow();
});

it('a body keeps the digits wherever its chunks end', () => {
  const integer = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String);
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value));
  const text = fc.string().map((value) => JSON.stringify(`${value}${id},`));
  const other = fc.constantFrom(`[${id},${id}]`, `{"${id}":${id}}`, `${id}.5`, `${id}e2`, `0.${id}`);
  const values = fc.array(fc.oneof(integer, double, text, other), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), (list, size) => {
      const row = `{"a":[${list.join(',')}],"b": ${list[0]} }`;
      expect(splitRows(`{"rows":[${row},${row}]}`, size)).toEqual([parseExactJson(row), parseExactJson(row)]);
    }),
    { numRuns: 1000 },
  );
});

/** @param size bytes of a chunk */
function splitRows(body: string, size: number): unknown[] {
  const splitter = new RowSplitter({ maxRows: 10, maxRowBytes: 1_000_000 });
  const bytes = Buffer.from(body);
  let lines = '';
  for (let at = 0; at < bytes.length; at += size)
    lines += splitter.push(bytes.subarray(at, at + size)).toString();
  splitter.end();
  return lines
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
