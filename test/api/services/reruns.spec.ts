// Runs over the rows of other runs, over real files and real row workers.
import { describe, expect, it } from 'vitest';
import { rowNumberAt } from '../../../src-main/domain/run/row-numbers.ts';
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

  it('refuses numbers that no attempt of the chain has, and says which the run has', async () => {
    const services = await openTestServices({ chancy }, { executes: false });
    const { runId } = await services.start('chancy', rows);
    const edited = (id: string, numbers: number[]) =>
      services.runs.rerun(id, { lines: '{}\n'.repeat(numbers.length), numbers }, { kind: 'cli' });
    await expect(edited(runId, [2, 900])).rejects.toThrow('The run has no row 900; it has 7 rows');
    await expect(edited(runId, [0])).rejects.toThrow('The run has no row 0; it has 7 rows');
    const again = await edited(runId, [2, 5]);
    await expect(edited(again.run.runId, [2, 8])).rejects.toThrow('no row 8; it has rows 2 and 5');
    expect((await edited(again.run.runId, [6])).run).toMatchObject({ rows: 1, chainId: runId });
    expect(await services.runs.list({})).toHaveLength(3);
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

const counting = `rowbench: 1
id: counting
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: early, type: code, code: "return { n: row.n, chance: Math.random() }" }
  - { id: maybe, type: set, when: "=row.n > 1", values: { big: true } }
  - { id: late, type: assert, after: [maybe], that: "=row.n !== 2", message: "two is not welcome" }
  - id: result
    type: output
    after: [late]
    fields: { chance: "=nodes.early.chance", big: "=nodes.maybe?.big ?? false" }
`;

describe('a rerun from a node', () => {
  const from = async (
    services: TestServices,
    runId: string,
    node: string,
    which: 'all' | 'failed' = 'all',
  ) => {
    const { run } = await services.runs.rerun(runId, { rows: which, from: node }, { kind: 'cli' });
    await endOf(services, run.runId);
    return run;
  };
  const endsOf = async (services: TestServices, runId: string) => {
    const ends: unknown[] = [];
    for await (const piece of await services.runs.readRows(runId, 'all')) {
      const rows = Buffer.from(piece.bytes).toString().split('\n').length - 1;
      for (let index = 0; index < rows; index += 1) {
        const stored = await services.traces.stored(runId, rowNumberAt(piece, index));
        ends.push(stored?.trace.nodes.map(({ end }) => end));
      }
    }
    return ends;
  };

  it('takes the values of the nodes before it, and runs the others', async () => {
    const services = await openTestServices({ counting });
    const { runId } = await services.start('counting', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await endOf(services, runId);
    const before = await services.outputs(runId);
    await services.write('counting', counting.replace('row.n !== 2', 'row.n !== 3'));
    const again = await from(services, runId, 'late');
    expect(again).toMatchObject({ rerunOf: runId, from: { nodeId: 'late', rows: 3 } });
    const [first, second, third] = await services.outputs(again.runId);
    expect([first, third]).toEqual([before[0], undefined]);
    expect(second).toMatchObject({ big: true });
    expect(await endsOf(services, again.runId)).toEqual([
      ['done', 'reused', 'reused', 'done', 'done'],
      ['done', 'reused', 'reused', 'done', 'done'],
      ['done', 'reused', 'reused', 'failed', 'not reached'],
    ]);
  });

  it('of the failed rows alone takes what came before the failure', async () => {
    const services = await openTestServices({ counting });
    const { runId } = await services.start('counting', [{ n: 1 }, { n: 2 }]);
    await endOf(services, runId);
    await services.write('counting', counting.replace('row.n !== 2', 'row.n > 0'));
    const again = await from(services, runId, 'late', 'failed');
    expect(again).toMatchObject({ rows: 1, from: { nodeId: 'late', rows: 1 } });
    expect(await numbersOf(services, again.runId)).toEqual([2]);
    expect(await endsOf(services, again.runId)).toEqual([['done', 'reused', 'reused', 'done', 'done']]);
  });

  it('runs rows whole whose values were not kept, and says how many had theirs', async () => {
    const services = await openTestServices({ counting });
    const many = Array.from({ length: 250 }, (_, index) => ({ n: index + 3 }));
    const { runId } = await services.start('counting', many);
    await endOf(services, runId);
    const again = await from(services, runId, 'late');
    expect(again.from).toEqual({ nodeId: 'late', rows: 200 });
    expect(await services.outputs(again.runId)).toEqual(await services.outputs(runId));
  });

  it('gives its rows the same values after a restart', async () => {
    const first = await openTestServices({ counting });
    const { runId } = await first.start('counting', [{ n: 1 }, { n: 3 }]);
    await endOf(first, runId);
    await first.close();
    const idle = await openTestServices({}, { dataDir: first.dataDir, executes: false });
    const { run } = await idle.runs.rerun(runId, { rows: 'all', from: 'late' }, { kind: 'cli' });
    await idle.close();
    const second = await openTestServices({}, { dataDir: first.dataDir });
    await endOf(second, run.runId);
    expect(await second.outputs(run.runId)).toEqual(await second.outputs(runId));
    expect(await endsOf(second, run.runId)).toMatchObject([{ 1: 'reused' }, { 1: 'reused' }]);
  });

  it('is refused for a node that is not there, and nothing is left behind', async () => {
    const services = await openTestServices({ counting }, { executes: false });
    const { runId } = await services.start('counting', [{ n: 1 }]);
    await expect(
      services.runs.rerun(runId, { rows: 'all', from: 'nowhere' }, { kind: 'cli' }),
    ).rejects.toThrow('has no node "nowhere"');
    expect(await services.runs.list({})).toHaveLength(1);
  });
});
