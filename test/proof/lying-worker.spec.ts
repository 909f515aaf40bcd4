// A worker process that sends messages which our own worker never sends. The server stores, calls and awaits nothing
// for them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import type { RowChecks } from '../../src-main/domain/tests/check-row.ts';
import type { Upstream } from '../../src-main/executor/ports.ts';
import { planOf, runRows, testExecution, testPool } from '../builders/execution-rig.ts';
import { outputPath, startTestApp } from '../builders/start-test-app.ts';

const workerScript = join(import.meta.dirname, '../fixtures/lying-worker.mjs');
const script = readFileSync(workerScript, 'utf8');
const namesOf = (pattern: RegExp): string[] => [...script.matchAll(pattern)].map(([, lie]) => lie ?? '');
const lies = namesOf(/^ {2}'(.+)': \(/gm);
const falseFindings = namesOf(/^ {2}'(.+)': (?:finds|says)\(/gm);

const workflow = `
onRowError: skip
concurrency: 4
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { method: GET, url: "https://api.example.com/" } }
  - { id: sub, type: workflow, share: run, row: {}, nodes: [{ id: got, type: output, fields: { n: 1 } }] }
  - { id: out, type: output, fields: { n: "=row.n" } }
`;

/** Answers nothing: a row whose call is believed waits for good. */
const silent: Upstream = { call: () => new Promise(() => undefined) };

describe('a worker that tells', () => {
  it.each(lies)('%s is ended, and nothing of that is stored', async (lie) => {
    const done = await runRows(workflow, {
      pool: testPool({ workerScript, maxWorkers: 1 }),
      upstream: silent,
      rows: [{ n: 1 }, { n: 2, lie }, { n: 3 }],
    });
    expect(done.outcome).toEqual({ kind: 'completed' });
    expect(done.lines).toEqual(['{"n":1}', '', '{"n":3}']);
    expect(done.failures).toMatchObject([{ row: 2, message: 'the row worker crashed' }]);
    expect(done.traces.map(({ row }) => row)).toEqual([1, 3]);
  });

  it('a lie is said to run its row again as often as the row does', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_fields: unknown, text: string) => void warnings.push(text) };
    await runRows(workflow, {
      pool: testPool({ workerScript, maxWorkers: 1 }),
      upstream: silent,
      rows: [{ n: 1, lie: lies[0] }],
      log,
    });
    // Three crashes are forgiven; the fourth costs the row.
    expect(warnings).toEqual(Array(3).fill('rows run again after the loss of their worker'));
  });

  it('the truth is believed', async () => {
    const rows = Array.from({ length: 600 }, (_, n) => ({ n }));
    const done = await runRows(workflow, { pool: testPool({ workerScript }), upstream: silent, rows });
    expect(done.outputs).toEqual(rows);
    expect(done.failures).toEqual([]);
  });
});

describe('a worker that checks the outputs of a test and sends', () => {
  const noFindings = { differences: [], moreDifferences: 0, broken: [], moreBroken: 0, counted: [] };
  const rowChecks: RowChecks = {
    fields: [
      ['name', { notNull: true }],
      ['id', { unique: true }],
    ],
    comparison: { contains: false },
    hasScore: false,
  };

  async function checkRows(rows: readonly unknown[]) {
    const pool = testPool({ workerScript, maxWorkers: 1 });
    const plan = { ...planOf(workflow), rowChecks };
    const { execution, sink } = testExecution(plan, { pool, upstream: silent, rows });
    expect(await execution.run()).toEqual({ kind: 'completed' });
    return sink;
  }

  it.each(falseFindings)('%s is ended, and its findings are not read', async (lie) => {
    const findings = { ...noFindings, counted: [{ field: 1, text: '1' }] };
    const sink = await checkRows([{ findings }, { lie }, { findings: noFindings }]);
    expect(sink.outputs).toEqual([findings, null, noFindings]);
    expect(sink.failures).toMatchObject([{ row: 2, message: 'the row worker crashed' }]);
  });
});

it('a run in which a worker lied is read over HTTP like any other', async () => {
  const app = await startTestApp({
    workflows: { lied: `rowbench: 1\nid: lied\n${workflow}` },
    workerScript,
  });
  onTestFinished(() => app.close());
  const lies = [
    'two objects in one line',
    'a list',
    'a newline inside an object',
    'a trace that is not JSON',
  ];
  const runId = await app.run('lied', [{ n: 1 }, ...lies.map((lie) => ({ n: 2, lie })), { n: 3 }]);
  await expect
    .poll(async () => (await app.services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  const { status, body } = await app.call(outputPath('lied', runId));
  expect(status).toBe(200);
  // A failed row has no output.
  const outputs = Object.values((body as { data: object }).data) as unknown[];
  expect(outputs).toEqual([{ n: 1 }, { n: 3 }]);
});
