import { describe, expect, it } from 'vitest';
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

describe('a value of a run', () => {
  it('of a megabyte is whole, and a larger one is cut', async () => {
    const services = await openTestServices({ grades: workflow });
    const name = 'é'.repeat(300_000);
    const runId = await finished(services, [{ n: 1, name }]);
    const value = await services.runData.value(runId, { row: 1, of: 'output', field: 'name' });
    expect(JSON.parse(value?.json ?? '')).toBe(name);
    const row1 = await services.runData.value(runId, { row: 1, of: 'output' });
    expect(row1).toMatchObject({ isCut: true });
    expect(Buffer.byteLength(row1?.json ?? '')).toBeLessThan(200_000);
  });

  it('of a row above 4 MB is its beginning, and single fields and traces do not parse such a row', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, [{ n: 1, name: '€'.repeat(1_500_000) }]);
    const whole = await services.runData.value(runId, { row: 1, of: 'input' });
    expect(whole).toEqual({ json: `{"n":1,"name":"`.padEnd(50_000, '€'), bytes: 4_500_017, isCut: true });
    await expect(services.runData.value(runId, { row: 1, of: 'input', field: 'n' })).rejects.toThrow(
      'Row 1 has 4.5 MB. Single fields are shown of rows up to 4.0 MB: export the row to see all of it',
    );
    const { output, trace } = await services.traces.again(runId, 1);
    expect([output, trace.values.size > 0]).toEqual([undefined, true]);
  });

  it('is missing from the output of a row that failed', async () => {
    const services = await openTestServices({ grades: workflow });
    const runId = await finished(services, rows(5));
    expect(await services.runData.value(runId, { row: 4, of: 'output' })).toBeUndefined();
    expect(await services.runData.value(runId, { row: 5, of: 'output', field: 'none' })).toBeUndefined();
    expect((await services.runData.value(runId, { row: 4, of: 'input' }))?.json).toBe(JSON.stringify(row(4)));
    await expect(services.runData.value(runId, { row: 6, of: 'input' })).rejects.toThrow(/no row 6/);
  });

  it('is found by the number that its row had in the run that is repeated', async () => {
    const services = await openTestServices({ grades: workflow });
    const first = await finished(services, rows(12));
    const again = await services.runs.rerun(first, 'failed', { kind: 'app' });
    const value = await services.runData.value(again.run.runId, { row: 8, of: 'input' });
    expect(value?.json).toBe(JSON.stringify(row(8)));
  });
});

describe('why rows failed', () => {
  it('are grouped by cause, with the lines of the workflow as it was', async () => {
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
