// No payload reaches a host object, by whichever of the three doors it comes in; the row after it works, and finds
// nothing of it. Payloads are planted in the plan behind the checker's back, so the sandbox alone has to hold.
import { describe, expect, it } from 'vitest';
import { compartmentGlobals, isCompartmentGlobal } from '../../../src-main/domain/expressions/scope.ts';
import type { Expression, Value } from '../../../src-main/domain/expressions/value.ts';
import type { WorkflowNode } from '../../../src-main/domain/workflow/workflow.ts';
import type { Plan } from '../../../src-main/executor/plan.ts';
import { bodies, escapes } from '../../fixtures/escapes/payloads.ts';
import { planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

const expression = (source: string): Expression => ({
  kind: 'expression',
  source,
  safeSource: source,
  nodeRefs: [],
  isAsync: false,
});

/**
 *   input ─► culprit (row 1 alone) ─► witness ─► out
 *
 * The witness looks for what a payload could have left behind.
 */
const plan = planOf(`
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: culprit, type: set, when: "row.n === 1", values: { got: "=0" } }
  - id: witness
    type: code
    after: culprit
    code: |
      const clean = ({}).leak === undefined && [1, 2].join() === '1,2' && JSON.stringify(1) === '1'
        && typeof Math.random() === 'number' && Object.keys(Object.prototype).length === 0;
      return clean && (await Promise.resolve('clean'));
  - { id: out, type: output, fields: { got: "=nodes.culprit", witness: "=nodes.witness" } }
`);

const withCulprit = (node: Partial<WorkflowNode>): Plan => ({
  ...plan,
  nodes: plan.nodes.map((each) => (each.id === 'culprit' ? ({ ...each, ...node } as WorkflowNode) : each)),
});

const values = (value: Value): Partial<WorkflowNode> => ({
  type: 'set',
  config: { values: { kind: 'object', entries: [['got', value]] } },
});

/** Whatever the culprit gave or failed with must show no sign of the process around it. */
const hostSigns =
  /node_modules|row-worker|\/work|"pid"|"argv"|execPath|NODE_|"versions"|"env"|\[object process\]|root:|file:\/\//;

async function expectHeld(plans: readonly Plan[]): Promise<void> {
  const pool = testPool({ timeLimitMs: 1000, maxWorkers: 1 });
  for (const escaped of plans) {
    const { execution, sink } = testExecution(escaped, { pool, rows: [{ n: 1 }, { n: 2 }] });
    expect(await execution.run()).toEqual({ kind: 'completed' });
    const seen = `${sink.lines[0] ?? ''} ${JSON.stringify(sink.failures)}`;
    expect(seen).not.toMatch(hostSigns);
    // Row 1 either failed or was witnessed clean.
    const [first, second] = sink.outputs;
    if (first !== null) expect(first).toMatchObject({ witness: 'clean' });
    expect(second).toEqual({ got: null, witness: 'clean' });
  }
}

describe('an escape attempt', () => {
  it.each(escapes)('%s reaches nothing', async (_, source) => {
    const code = { ...expression(`return (${source});`), kind: 'body' } as const;
    await expectHeld([
      withCulprit({ type: 'code', config: { code } }),
      withCulprit(values(expression(source))),
      withCulprit(values({ kind: 'template', parts: ['got ', expression(source)] })),
    ]);
  });

  it.each(bodies)('by code, %s reaches nothing', async (_, source) => {
    const body = { ...expression(source), kind: 'body', isAsync: source.includes('await') } as const;
    await expectHeld([withCulprit({ type: 'code', config: { code: body } })]);
  });
});

describe('the compartment', () => {
  const giving = (source: string): Plan =>
    withCulprit({ type: 'code', config: { code: { ...expression(source), kind: 'body' } } });
  const given = async (source: string): Promise<unknown> => {
    const { execution, sink } = testExecution(giving(source), { pool: testPool(), rows: [{ n: 1 }] });
    await execution.run();
    return (sink.outputs[0] as { got: unknown } | null)?.got ?? sink.failures;
  };

  it('offers exactly the documented globals', async () => {
    const refused = bodies.map(([name]) => name).filter((name) => /^\w+$/.test(name) && name !== 'with');
    const names = [...compartmentGlobals, ...refused];
    const present = await given(
      `return [${names.map((name) => `['${name}', typeof (${name === 'eval' ? '0, eval' : name})]`).join(', ')}];`,
    );
    const wanted = names.map((name) => [name, isCompartmentGlobal(name) && name !== 'undefined']);
    expect((present as [string, string][]).map(([name, type]) => [name, type !== 'undefined'])).toEqual(
      wanted,
    );
  });

  it('gives a call neither a `this` nor arguments that outlive it', async () => {
    expect(await given('arguments.leak = 1; return [arguments.length, this === undefined];')).toEqual([
      4,
      true,
    ]);
  });

  it('shows no stack', async () => {
    expect(await given('return String(new Error("x").stack);')).not.toMatch(/row-worker|file:|at /);
  });
});
