// The environment of author code in its compartment. The sandbox rig (test/proof) shows that no code gets out of it.
import { describe, expect, it } from 'vitest';
import { compartmentGlobals, isCompartmentGlobal } from '../../../src-main/domain/expressions/scope.ts';
import type { Plan, PlanNode } from '../../../src-main/executor/plan.ts';
import { bodies } from '../../fixtures/escapes/payloads.ts';
import { planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

const plan = planOf(`
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: culprit, type: code, code: "return 0;" }
  - { id: out, type: output, fields: { got: "=nodes.culprit" } }
`);

/** A plan with a body that the checker would refuse. */
function planted(source: string): Plan {
  const code = {
    kind: 'body',
    source,
    safeSource: source,
    nodeRefs: [],
    isAsync: false,
    makesPromises: true,
  };
  const nodes = plan.nodes.map((each) =>
    each.id === 'culprit' ? ({ ...each, config: { code } } as unknown as PlanNode) : each,
  );
  return { ...plan, nodes };
}

describe('the compartment', () => {
  const evaluate = async (source: string): Promise<unknown> => {
    const { execution, sink } = testExecution(planted(source), { pool: testPool({}), rows: [{ n: 1 }] });
    await execution.run();
    return (sink.outputs[0] as { got: unknown } | null)?.got ?? sink.failures;
  };

  it('offers exactly the documented globals', async () => {
    const refused = bodies.map(([name]) => name).filter((name) => /^\w+$/.test(name) && name !== 'with');
    const names = [...compartmentGlobals, ...refused];
    const present = await evaluate(
      `return [${names.map((name) => `['${name}', typeof (${name === 'eval' ? '0, eval' : name})]`).join(', ')}];`,
    );
    const expected = names.map((name) => [name, isCompartmentGlobal(name) && name !== 'undefined']);
    expect((present as [string, string][]).map(([name, type]) => [name, type !== 'undefined'])).toEqual(
      expected,
    );
  });

  it('gives a call neither a `this` nor arguments that outlive it', async () => {
    expect(await evaluate('arguments.leak = 1; return [arguments.length, this === undefined];')).toEqual([
      5,
      true,
    ]);
  });

  it('keeps nothing of a row, for the next one or the next run', async () => {
    const leaving = planted(`
      const strings = ((parts) => parts)\`text\`;
      const own = () => 1;
      const places = [globalThis, nodes, Math, Math.random, Date, Date.prototype, console, console.log, JSON, strings,
        Object, Object.prototype, Array.prototype, RegExp, RegExp.prototype, Symbol, Map.prototype, Promise,
        Object.getPrototypeOf(own), Object.getPrototypeOf(async () => 1), Object.getPrototypeOf(function* () {})].filter((place) => place !== undefined);
      const found = places.filter((place) => 'left' in place).length;
      for (const place of places) try { place.left = 1; } catch {}
      for (const place of places) try { Object.defineProperty(place, 'left', { value: 1 }); } catch {}
      return [found, places.length > 15];`);
    const pool = testPool({ maxWorkers: 1 });
    const found: unknown[] = [];
    for (let run = 0; run < 3; run += 1) {
      const { execution, sink } = testExecution(leaving, { pool, rows: [{ n: 1 }, { n: 2 }] });
      await execution.run();
      expect(sink.failures).toEqual([]);
      found.push(...sink.outputs);
    }
    expect(found).toEqual(Array(6).fill({ got: [0, true] }));
  });

  it('shows no stack', async () => {
    expect(await evaluate('return String(new Error("x").stack);')).not.toMatch(/row-worker|file:|at /);
  });
});
