// Every slot of a workflow in which text of its author is evaluated. Payloads are planted there without the checker.
import { readTable } from '../../src-main/domain/sources/table.ts';
import type { Plan, PlanNode } from '../../src-main/executor/plan.ts';
import { planOfSet } from './workflow-set.ts';

/** Stands where a payload is planted. */
const marker = 'row.payload';

/** The node's own keys, with the marker that a payload replaces. */
export const slots: Readonly<Record<string, string>> = {
  value: `type: set, values: { got: "=${marker}" }`,
  'value inside another': `type: set, values: { got: { deep: ["=${marker}"] } }`,
  template: `type: set, values: { got: "got {{ ${marker} }}" }`,
  when: `type: set, when: "${marker}", values: { got: 1 }`,
  each: `type: set, each: "=${marker}", values: { got: =item }`,
  'value in place of an error': `type: fail, message: x, onError: { value: "=${marker}" }`,
  code: `type: code, code: "return (${marker});"`,
  'code that waits': `type: code, code: "return await (${marker});"`,
  'case of a switch': `type: switch, cases: [{ when: "${marker}", value: 1 }], default: 2`,
  'value of a case': `type: switch, cases: [{ when: "true", value: "=${marker}" }]`,
  'default of a switch': `type: switch, cases: [{ when: "false", value: 1 }], default: "=${marker}"`,
  delay: `type: delay, for: "=${marker}"`,
  assertion: `type: assert, that: "${marker}", message: no`,
  'message of an assertion': `type: assert, that: "false", message: "{{ ${marker} }}"`,
  'message of a failure': `type: fail, message: "=${marker}"`,
  'URL of a call': `type: http, request: { url: "http://h.example/{{ ${marker} }}" }`,
  'query of a call': `type: http, request: { url: http://h.example/, query: { q: "=${marker}" } }`,
  'header of a call': `type: http, request: { url: http://h.example/, headers: { x-got: "{{ ${marker} }}" } }`,
  'body of a call': `type: http, request: { method: POST, url: http://h.example/, body: { got: "=${marker}" } }`,
  prompt: `type: llm, baseUrl: http://h.example/v1, model: m, messages: [{ role: user, content: "{{ ${marker} }}" }]`,
  'match of a lookup': `type: lookup, table: t.csv, key: a, match: "=${marker}"`,
  'row of a called workflow': `type: workflow, workflow: inner, row: { got: "=${marker}" }`,
  'items of a called workflow': `type: workflow, workflow: inner, each: "=${marker}", row: { got: =item }`,
};

/** Slots for payloads that are statements. */
export const bodySlots: Readonly<Record<string, string>> = {
  'body of code': `type: code, code: "${marker}"`,
  'body of code that waits': `type: code, code: "${marker}\\nawait null;"`,
};

/**
 * The expression, which also logs what it gives, as the author sees it: a condition or a delay would make something
 * else of it. The slot gets the value itself, and `this` and `arguments` in there stay what they are.
 */
export const logged = (expression: string): string =>
  `((got) => { console.log(got); return got; })((${expression}))`;

const inner = `rowbench: 1
id: inner
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { got: "=row.got" } }
`;

/** Looks for what a payload could have left behind. */
const witness = `const clean = ({}).leak === undefined && [1, 2].join() === '1,2' && JSON.stringify(1) === '1'
        && typeof Math.random() === 'number' && Object.keys(Object.prototype).length === 0;
      return clean && (await Promise.resolve('clean'));`;

/**
 * One node for each payload, which meets the row whose `n` is its number, from 0. The witness comes after all of them:
 * the output is `{ witness: 'clean' }` for a row that was not failed and found nothing.
 */
export function planWith(slot: string, payloads: readonly string[]): Plan {
  const keys = slots[slot] ?? bodySlots[slot] ?? '';
  const nodes = payloads.map(
    (_, n) =>
      `  - { id: p${n}, ${keys.startsWith('type: set, when') ? '' : `when: "row.n === ${n}", `}${keys} }`,
  );
  const text = `rowbench: 1
id: planted
onRowError: skip
nodes:
  - { id: input, type: input }
${nodes.join('\n')}
  - id: witness
    type: code
    after: [${payloads.map((_, n) => `p${n}`).join(', ')}]
    code: |
      ${witness}
  - { id: out, type: output, fields: { witness: "=nodes.witness" } }
`;
  const plan = planOfSet([text, inner], {}, [readTable('t.csv', 'a,b\n1,2\n')]);
  const planted = plan.nodes.map((node) => {
    const n = Number(/^p(\d+)$/.exec(node.id)?.[1] ?? -1);
    const payload = payloads[n];
    if (payload === undefined) return node;
    if (slot in bodySlots) return plant(node, payload) as PlanNode;
    // `when` is asked for every row; this one must be its own row's alone.
    const own = slot === 'when' ? `(row.n === ${n} && (${payload}))` : `(${payload})`;
    return plant(node, own) as PlanNode;
  });
  return { ...plan, nodes: planted };
}

/** Replaces the marker in every text of a JSON value. */
function plant(tree: unknown, payload: string): unknown {
  if (typeof tree === 'string') return tree.replaceAll(marker, () => payload);
  if (Array.isArray(tree)) return tree.map((each) => plant(each, payload));
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, plant(value, payload)]));
}
