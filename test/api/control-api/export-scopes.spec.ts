// The rows that the export dialog offers: the number that it promises for each choice is the number of rows in the file.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call, ExportFormat, Output, RowSelection, RunView } from '../../../src-main/contract/index.ts';
import {
  countScope,
  exportScopes,
  writtenRows,
  type ExportScope,
} from '../../../src-renderer/state/run/export/export-scopes.ts';
import { controlOf, type ControlCalls } from '../../builders/control-calls.ts';
import { readWorkbook } from '../../builders/read-workbook.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const points = `rowbench: 1
id: points
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.n > 0", message: "no points" }
  - { id: result, type: output, after: [check], fields: { points: "=row.n * 2" } }
`;

let app: TestApp;
let control: ControlCalls;
/** Three rows of seven failed. */
let first: RunView;
/** One of two edited rows was fixed. */
let fixed: RunView;

async function ended(runId: string): Promise<RunView> {
  const show = (): Promise<RunView> => app.handlers['run.show']({ runId });
  await vi.waitFor(async () => expect((await show()).finishedAt).not.toBeNull(), { timeout: 20_000 });
  return show();
}

beforeAll(async () => {
  app = await startTestApp({ workflows: { points }, limits: 'off' });
  control = await controlOf(app);
  const rows = [0, 5, 0, 7, 0, 9, 3].map((n) => ({ n }));
  first = await ended(await app.run('points', rows));
  const { runId } = await app.handlers['run.rerun']({
    runId: first.runId,
    rows: { lines: '{"n":4}\n{"n":0}\n', numbers: [1, 3] },
  });
  fixed = await ended(runId);
});

afterAll(() => app.close());

const call: Call = async (name, input) => {
  const { text } = await control.send(`/call/${name}`, { body: JSON.stringify(input) });
  return (JSON.parse(text) as { data: Output<typeof name> }).data;
};

/** The scopes of the dialog on the page of the second attempt, whose table shows the rows of a selection. */
const scopes = (): readonly ExportScope[] => {
  const selection: RowSelection = {
    conditions: [{ of: 'column', column: { of: 'input', name: 'n' }, test: { is: 'between', max: 5 } }],
    latest: true,
  };
  const shown = { rows: { runId: fixed.runId, latest: true }, selection };
  return exportScopes(fixed, { isMerged: true, attempt: 2 }, shown);
};

/** Rows of a file, without its head. */
async function rowsIn(format: ExportFormat, file: Buffer): Promise<number> {
  const text = file.toString('utf8');
  if (format === 'xlsx') return (await readWorkbook(file)).split('\n').filter(Boolean).length;
  if (format === 'json') return (JSON.parse(text) as unknown[]).length;
  return text.split(/\r?\n/).filter(Boolean).length - (format === 'csv' ? 1 : 0);
}

async function exported(scope: ExportScope, format: ExportFormat, failedRows: boolean): Promise<number> {
  const body = JSON.stringify({
    options: { format, rowNumbers: true, inputColumns: true, failedRows },
    selection: scope.selection,
  });
  const answer = await fetch(`${app.url}/_rowbench/v1/runs/${scope.runId}/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rowbench-token': control.token },
    body,
  });
  expect(answer.status).toBe(200);
  return rowsIn(format, Buffer.from(await answer.arrayBuffer()));
}

describe('the number of rows that the export dialog promises', () => {
  it.each([
    { at: 0, title: 'Rows shown', done: 3, failed: 2 },
    { at: 1, title: 'All rows', done: 5, failed: 2 },
    { at: 2, title: 'Attempt 2', done: 1, failed: 1 },
  ])('is that of the file for $title, in each format, with and without failed rows', async (expected) => {
    const scope = scopes()[expected.at];
    if (scope === undefined) throw new Error('no scope');
    expect(scope.title).toBe(expected.title);
    const counts = await countScope(call, scope, new AbortController().signal);
    expect(counts).toEqual({ done: expected.done, failed: expected.failed });
    for (const withFailed of [true, false])
      for (const format of ['csv', 'xlsx', 'json', 'ndjson'] as const)
        expect(
          await exported(scope, format, withFailed),
          `${format}, ${withFailed ? 'with' : 'without'} failed rows`,
        ).toBe(writtenRows(counts, withFailed));
  });
});
