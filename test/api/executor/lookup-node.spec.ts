import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src-main/domain/sources/table.ts';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import { planRun } from '../../../src-main/executor/plan-run.ts';
import { testExecution, testPool } from '../../builders/execution-rig.ts';

async function found(table: readonly [path: string, text: string], own: string, rows: readonly object[]) {
  const { workflow } = parseWorkflow(`rowbench: 1
id: test
nodes:
  - { id: input, type: input }
  - { id: find, type: lookup, table: ${table[0]}, ${own} }
  - { id: out, type: output, fields: { got: "=nodes.find" } }`);
  if (workflow === undefined) throw new Error('the workflow is not valid');
  const plan = planRun(workflow, {}, { tables: [readTable(...table)], workflows: [] });
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows });
  const outcome = await execution.run();
  return outcome.kind === 'failed'
    ? outcome.error
    : sink.outputs.map((output) => (output as { got: unknown }).got);
}

const cities = ['cities.csv', 'zip,city\n05,Aix\n5,Bonn\n5,Cork\nconstructor,Dax\n'] as const;

describe('a lookup node', () => {
  it('gives the first record with that key, or null', async () => {
    const rows = [
      { zip: '05' },
      { zip: '5' },
      { zip: 5 },
      { zip: '5.0' },
      { zip: 'constructor' },
      { zip: 'toString' },
    ];
    expect(await found(cities, 'key: zip, match: "=row.zip"', rows)).toEqual([
      { zip: '05', city: 'Aix' },
      { zip: '5', city: 'Bonn' },
      { zip: '5', city: 'Bonn' },
      null,
      { zip: 'constructor', city: 'Dax' },
      null,
    ]);
  });

  it('finds nothing for what is not there', async () => {
    expect(await found(cities, 'key: zip, match: "=row.zip"', [{}, { zip: null }])).toEqual([null, null]);
  });

  it('compares numbers and truth as the text that they are written as', async () => {
    const table = [
      't.json',
      '[{"k": 1e3, "v": 1}, {"k": 0.50, "v": 2}, {"k": true, "v": 3}, {"k": null}, {"x": 1}]',
    ] as const;
    const rows = ['1000', 0.5, 'true', 'null', 'undefined'].map((k) => ({ k }));
    const values = (await found(table, 'key: k, match: "=row.k"', rows)) as unknown[];
    expect(values.map((value) => (value as { v: number } | null)?.v)).toEqual([
      1,
      2,
      3,
      undefined,
      undefined,
    ]);
  });

  it('fails for a list or an object', async () => {
    expect(await found(cities, 'key: zip, match: [1]', [{}])).toBe(
      'Node "find" failed on row 1: "match" is a list, not text or a number',
    );
  });

  it('gives records that no row can change, with own names such as __proto__', async () => {
    const table = ['t.ndjson', '{"__proto__":"k","a":1}'] as const;
    expect(await found(table, 'key: __proto__, match: k, each: "=[1, 2]"', [{}])).toEqual([
      [1, 2].map(() => JSON.parse('{"__proto__":"k","a":1}') as unknown),
    ]);
  });

  it('looks into ten megabytes for each of many rows in little time', { timeout: 20_000 }, async () => {
    const text = Array.from({ length: 200_000 }, (_, n) => `{"id":${n},"name":"${'x'.repeat(25)}"}`).join(
      '\n',
    );
    const rows = Array.from({ length: 5000 }, (_, n) => ({ id: n * 40 }));
    const got = (await found(['t.ndjson', text], 'key: id, match: "=row.id"', rows)) as { id: number }[];
    expect(got.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });
});
