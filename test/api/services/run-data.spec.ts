import { describe, expect, it } from 'vitest';
import type { RunDataService } from '../../../src-main/services/run-data-service.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const workflow = `rowbench: 1
id: grades
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: check
    type: code
    code: |
      if (row.n % 4 === 0) throw new Error('no grade for pupil ' + row.n);
      return row.n;
  - { id: result, type: output, fields: { n: "=nodes.check", name: "=row.name", all: "=row" } }
# the end
`;

const containing = (text: string): unknown => expect.stringContaining(text);

const row = (n: number) => ({ n, name: `${n === 5 ? 'Zoë' : 'pupil'} ${n}` });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));

async function finished(services: TestServices, rows: readonly unknown[], workflowId = 'grades') {
  const { runId } = await services.start(workflowId, rows);
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000, interval: 10 })
    .toBe('completed');
  return runId;
}

/** All rows that hold the text, as a page gathers them. */
async function search(data: RunDataService, runId: string, text: string): Promise<number[]> {
  const found: number[] = [];
  for (let from = 1, there = Infinity; from <= there;) {
    const answer = await data.outputs(runId, { from, count: 50, text });
    found.push(...answer.rows.map((each) => each.row));
    ({ next: from, there } = answer);
  }
  return found;
}

describe('the outputs of a run', () => {
  it('come a window at a time, failed rows with their failures among them', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, rows(1_000));
    const { rows: shown, next, there } = await services.runData.outputs(runId, { from: 399, count: 3 });
    expect({ next, there }).toEqual({ next: 402, there: 1_000 });
    expect(shown.map(({ position, state }) => [position, state])).toEqual([
      [399, 'done'],
      [400, 'failed'],
      [401, 'done'],
    ]);
    expect(shown[0]?.fields).toEqual([
      { name: 'n', kind: 'number', text: '399' },
      { name: 'name', kind: 'text', text: 'pupil 399' },
      { name: 'all', kind: 'object', text: '{"n":399,"name":"pupil 399"}' },
    ]);
    expect(shown[1]).toMatchObject({
      fields: [],
      failure: { nodeId: 'check', message: containing('no grade for pupil 400') },
    });
    expect(await services.runData.outputs(runId, { from: 1_001, count: 10 })).toMatchObject({ rows: [] });
  });

  it('are the same from whatever row on they are read', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, rows(700));
    const whole = (await services.runData.outputs(runId, { from: 1, count: 1_000 })).rows;
    for (const from of [1, 2, 63, 64, 65, 128, 500, 699, 700]) {
      const part = await services.runData.outputs(runId, { from, count: 20 });
      expect(part.rows).toEqual(whole.slice(from - 1, from + 19));
    }
  });

  it('are searched without regard to case, row numbers kept', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, rows(1_001));
    expect(await search(services.runData, runId, 'ZOË')).toEqual([5]);
    expect(await search(services.runData, runId, 'pupil 77')).toEqual([
      77, 770, 771, 773, 774, 775, 777, 778, 779,
    ]);
    expect(await search(services.runData, runId, 'nobody')).toEqual([]);
  });

  it('of a megabyte are cut in the table, and whole one at a time', async () => {
    const services = await openTestServices({ grades: workflow });
    const name = 'é'.repeat(300_000);
    const runId = await finished(services, [{ n: 1, name }]);
    const { rows: shown } = await services.runData.outputs(runId, { from: 1, count: 10 });
    expect(shown[0]?.fields[1]).toMatchObject({ kind: 'text', text: 'é'.repeat(160), length: 300_000 });
    const value = await services.runData.value(runId, { row: 1, of: 'output', field: 'name' });
    expect(JSON.parse(value?.json ?? '')).toBe(name);
    const row1 = await services.runData.value(runId, { row: 1, of: 'output' });
    expect(row1).toMatchObject({ isCut: true });
    expect(Buffer.byteLength(row1?.json ?? '')).toBeLessThan(200_000);
  });

  it('of a row that failed have no value', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, rows(5));
    expect(await services.runData.value(runId, { row: 4, of: 'output' })).toBeUndefined();
    expect(await services.runData.value(runId, { row: 5, of: 'output', field: 'none' })).toBeUndefined();
    expect((await services.runData.value(runId, { row: 4, of: 'input' }))?.json).toBe(JSON.stringify(row(4)));
    await expect(services.runData.value(runId, { row: 6, of: 'input' })).rejects.toThrow(/no row 6/);
  });
});

describe('the rows that a run was given', () => {
  it('come a window at a time, and are searched however they were written', async () => {
    const services = await openTestServices({ grades: workflow });
    const loaded = await services.workflows.find('grades');
    if (loaded === undefined) throw new Error('no workflow');
    const draft = await services.runs.beginRun({ workflow: loaded, origin: { kind: 'cli' } });
    await draft.write(Buffer.from('{"n":1,"name":"Zo\\u00eb"}\n{"n":2,"name":"b"}\n{"n":3}\n'));
    const { runId } = await draft.accept(3);
    const shown = await services.runData.input(runId, { from: 2, count: 5 });
    expect(shown).toMatchObject({ next: 4, there: 3 });
    expect(shown.rows.map(({ fields }) => fields.map(({ name }) => name))).toEqual([['n', 'name'], ['n']]);
    const found = await services.runData.input(runId, { from: 1, count: 5, text: 'zoë' });
    expect(found.rows.map(({ position }) => position)).toEqual([1]);
  });

  it('of a rerun keep the numbers that they had', async () => {
    const services = await openTestServices({ grades: workflow });
    const first = await finished(services, rows(12));
    const again = await services.runs.rerun(first, 'failed', { kind: 'app' });
    const { rows: shown } = await services.runData.input(again.run.runId, { from: 1, count: 10 });
    expect(shown.map(({ position, row: number }) => [position, number])).toEqual([
      [1, 4],
      [2, 8],
      [3, 12],
    ]);
    const value = await services.runData.value(again.run.runId, { row: 8, of: 'input' });
    expect(value?.json).toBe(JSON.stringify(row(8)));
  });
});

describe('why rows failed', () => {
  it('is told by cause, with the lines of the workflow as it was', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, rows(40));
    const { groups, looked } = await services.runData.causes(runId);
    expect(looked).toBe(10);
    expect(groups).toEqual([
      {
        nodeId: 'check',
        cause: containing('no grade for pupil …'),
        rows: 10,
        firstRows: [4, 8, 12, 16, 20],
        message: containing('no grade for pupil 4'),
      },
    ]);
    const source = await services.runData.nodeSource(runId, { nodeId: 'check' });
    expect(source).toMatchObject({ line: 6, isFileAsRun: true, file: containing('grades') });
    expect(source?.lines.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(source?.lines[1]?.text).toBe('  - id: check');
    const [group] = groups;
    const failed = await services.runData.nodeSource(runId, { nodeId: 'check', message: group?.message });
    expect(failed).toMatchObject({ line: 9, lines: source?.lines });
    const last = await services.runData.nodeSource(runId, { nodeId: 'result' });
    expect(last?.lines.map(({ line }) => line)).toEqual([10, 11, 12]);
    await services.write('grades', workflow.replace('no grade', 'no mark'));
    await services.workflows.refresh();
    expect(await services.runData.nodeSource(runId, { nodeId: 'check' })).toMatchObject({
      isFileAsRun: false,
    });
    expect(await services.runData.nodeSource(runId, { nodeId: 'other' })).toBeUndefined();
  });
});
