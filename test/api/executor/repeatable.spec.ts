import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf, runRows, testExecution, testPool } from '../../builders/execution-rig.ts';

const chance = `
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: a, type: code, code: "return [Math.random(), Math.random(), Date.now(), new Date().toISOString()];" }
  - { id: b, type: code, code: "await null; return Math.random();" }
  - { id: c, type: fail, message: unlucky, chance: 0.2, seed: 7 }
  - { id: out, type: output, fields: { a: "=nodes.a", b: "=nodes.b" } }`;

const rows = Array.from({ length: 600 }, (_, n) => ({ n }));

describe('chance and time', () => {
  it('are the same for a seed, whatever the workers and the row that a run goes on from', async () => {
    const alone = await runRows(chance, { pool: testPool({ maxWorkers: 1 }), rows });
    const pool = testPool();
    const spread = await runRows(chance, { pool, rows });
    const { execution, sink } = testExecution(planOf(chance), { pool, rows, firstRow: 401 });
    await execution.run();
    expect(spread.lines).toEqual(alone.lines);
    expect(sink.lines).toEqual(alone.lines.slice(400));
    expect(alone.failures.length).toBeGreaterThan(60);
    expect(alone.failures.length).toBeLessThan(200);
  });

  it('differ from row to row and from seed to seed, and the clock stands at the seed', async () => {
    const pool = testPool();
    const first = await runRows(chance, { pool, rows });
    const second = await runRows(chance, { pool, rows, seed: { random: 2, time: 0 } });
    const randoms = [...first.outputs, ...second.outputs].flatMap((output) =>
      output === null ? [] : (output as { a: number[] }).a.slice(0, 2),
    );
    expect(new Set(randoms).size).toBe(randoms.length);
    expect(second.outputs.find((output) => output !== null)).toMatchObject({
      a: [expect.any(Number), expect.any(Number), 0, '1970-01-01T00:00:00.000Z'],
    });
  });
});

describe('an identity workflow', () => {
  it('gives back any JSON value as it was', async () => {
    const plan = planOf(`
nodes:
  - { id: input, type: input }
  - { id: copy, type: set, values: { value: "=row.value" } }
  - { id: coded, type: code, code: "return row.value;" }
  - { id: out, type: output, fields: { direct: "=row.value", copied: "=nodes.copy.value", coded: "=nodes.coded" } }`);
    const pool = testPool();
    const special = [
      '{"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4,"valueOf":null,"then":5}',
      '"\\ud800 \\udc00 \\u2028 \\u2029 \\u0000"',
      '{"\\ud800":1,"é":2,"é":3,"":4}',
      '[[[]],{},"",0,-1.5e-7,1e308,9007199254740993,true,null]',
      '{"2":1,"1":2,"a":{"__proto__":"x"}}',
    ];
    const check = async (texts: readonly string[]): Promise<void> => {
      const { execution, sink } = testExecution(plan, {
        pool,
        rows: texts.map((text) => `{"value":${text}}`),
      });
      expect(await execution.run()).toEqual({ kind: 'completed' });
      // Compared as text: an equality that overlooks `__proto__` would prove nothing.
      expect(sink.lines).toEqual(
        texts.map((text) => {
          const same = JSON.stringify(JSON.parse(text));
          return `{"direct":${same},"copied":${same},"coded":${same}}`;
        }),
      );
    };
    await check(special);
    const texts = fc.array(fc.json({ stringUnit: 'binary' }), {
      minLength: 1,
      maxLength: 50,
    });
    await fc.assert(fc.asyncProperty(texts, check), { numRuns: 30 });
  });
});
