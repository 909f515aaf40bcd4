// Runs over the rows of other runs, over real files and real row workers.
import { describe, expect, it } from 'vitest';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const chancy = `rowbench: 1
id: chancy
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: assert, that: "=row.ok", message: "not yet" }
  - { id: unlucky, type: fail, rows: [6], message: "six is unlucky" }
  - { id: result, type: output, after: [check, unlucky], fields: { n: "=row.n", chance: "=Math.random()" } }
`;
const lenient = chancy.replace('=row.ok', '=true');
/** Even rows fail. */
const rows = Array.from({ length: 7 }, (_, index) => ({ n: index + 1, ok: index % 2 === 0 }));

async function endOf(services: TestServices, runId: string): Promise<string> {
  const status = async () => (await services.runs.get(runId)).run.status;
  await expect.poll(status).toMatch(/completed|failed/);
  return runId;
}

async function numbersOf(services: TestServices, runId: string): Promise<unknown> {
  const numbers: unknown[] = [];
  for await (const piece of services.runs.readOutputs(runId)) numbers.push(...(piece.numbers ?? []));
  return numbers;
}

const rerun = async (services: TestServices, runId: string, which: 'all' | 'failed') =>
  endOf(services, (await services.runs.rerun(runId, which, { kind: 'cli' })).run.runId);

describe('a rerun of failed rows', () => {
  it('keeps their numbers in outputs, messages, chance and nodes that fail by number', async () => {
    const services = await openTestServices({ chancy });
    const { runId } = await services.start('chancy', rows);
    await endOf(services, runId);
    await services.write('chancy', lenient);
    const whole = await endOf(services, (await services.start('chancy', rows)).runId);
    expect(await services.runs.readFailures(whole, 9)).toMatchObject([{ row: 6 }]);
    const again = await rerun(services, runId, 'failed');
    expect(await numbersOf(services, again)).toEqual([2, 4, 6]);
    expect(await services.runs.readFailures(again, 9)).toMatchObject([
      { row: 6, nodeId: 'unlucky', message: 'six is unlucky' },
    ]);
    const complete = await rerun(services, runId, 'all');
    const [, second, , fourth] = await services.outputs(complete);
    expect(await services.outputs(again)).toEqual([second, fourth, undefined]);
  });

  it('of a rerun keeps the numbers of the first run', async () => {
    const services = await openTestServices({ chancy });
    const { runId } = await services.start('chancy', rows);
    await endOf(services, runId);
    const again = await rerun(services, runId, 'failed');
    await services.write('chancy', lenient);
    const third = await rerun(services, again, 'failed');
    expect(await numbersOf(services, third)).toEqual([2, 4, 6]);
    const fourth = await rerun(services, third, 'failed');
    expect(await numbersOf(services, fourth)).toEqual([6]);
    expect(await numbersOf(services, await rerun(services, fourth, 'all'))).toEqual([6]);
  });
});

describe('a rerun with edited rows', () => {
  it('runs those alone, under the numbers that they had', async () => {
    const services = await openTestServices({ chancy });
    const { runId } = await services.start('chancy', rows);
    await endOf(services, runId);
    const lines = [2, 4].map((n) => `${JSON.stringify({ n, ok: true })}\n`).join('');
    const again = await services.runs.rerun(runId, { lines, numbers: [2, 4] }, { kind: 'cli' });
    expect(again.run).toMatchObject({ rerunOf: runId, rows: 2 });
    await endOf(services, again.run.runId);
    expect(await numbersOf(services, again.run.runId)).toEqual([2, 4]);
    await services.write('chancy', lenient);
    const [, second, , fourth] = await services.outputs(await rerun(services, runId, 'all'));
    expect(await services.outputs(again.run.runId)).toEqual([second, fourth]);
  });

  it('counts them from 1 when they have no numbers, and refuses what is no row', async () => {
    const services = await openTestServices({ chancy }, { executes: false });
    const { runId } = await services.start('chancy', rows);
    const again = await services.runs.rerun(runId, { lines: '{"n":1}\n{"n":2}\n' }, { kind: 'cli' });
    expect(again.run.rows).toBe(2);
    await expect(services.runs.rerun(runId, { lines: '[]' }, { kind: 'cli' })).rejects.toThrow();
    await expect(services.runs.rerun(runId, { lines: '' }, { kind: 'cli' })).rejects.toThrow('no rows left');
    expect(await services.runs.list({})).toHaveLength(2);
  });
});
