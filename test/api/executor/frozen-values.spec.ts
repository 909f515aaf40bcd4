// Rows and node values are frozen: no code can change them.
import { describe, expect, it } from 'vitest';
import { runRows, testPool } from '../../builders/execution-rig.ts';

const rows = [{ tags: ['a'], n: 1 }];

const failureOf = async (node: string, fields = '{ value: "=row.n" }'): Promise<string> => {
  const workflow = `
nodes:
  - { id: input, type: input }
  - { id: made, type: set, values: { list: "=row.tags", inner: { n: 1 } } }
${node}
  - { id: out, type: output, fields: ${fields} }
`;
  const { outcome } = await runRows(workflow, { pool: testPool(), rows });
  return outcome.kind === 'failed' ? outcome.error : outcome.kind;
};

describe('code that changes values is refused', () => {
  it.each([
    ['a value', '  - { id: x, type: set, values: { a: "=row.tags.push(1)" } }'],
    ['a value in a list', '  - { id: x, type: set, values: { a: [{ b: "=row.tags.push(1)" }] } }'],
    ['a template', '  - { id: x, type: set, values: { a: "has {{ row.tags.push(1) }}" } }'],
    ["another node's value", '  - { id: x, type: set, values: { a: "=nodes.made.list.push(1)" } }'],
    [
      'what a value holds',
      '  - { id: x, type: set, values: { a: "=Object.assign(nodes.made.inner, row)" } }',
    ],
    ['when', '  - { id: x, type: set, when: "row.tags.push(1)", values: { a: 1 } }'],
    ['each', '  - { id: x, type: set, each: "row.tags.push(1)", values: { a: 1 } }'],
    ['an item', '  - { id: x, type: set, each: "[row.tags]", values: { a: "=item.push(1)" } }'],
    ['a case', '  - { id: x, type: switch, cases: [{ when: "row.tags.push(1)", value: 1 }] }'],
    ["a case's value", '  - { id: x, type: switch, cases: [{ when: "true", value: "=row.tags.push(1)" }] }'],
    ['what is asserted', '  - { id: x, type: assert, that: "row.tags.push(1)", message: no }'],
    ['a message', '  - { id: x, type: fail, message: "{{ row.tags.push(1) }}" }'],
    ['a duration', '  - { id: x, type: delay, for: "=row.tags.push(1)" }'],
    ['onError', '  - { id: x, type: fail, message: no, onError: { value: "=row.tags.push(1)" } }'],
    ['a body', '  - { id: x, type: code, code: "row.tags.push(1); return 1;" }'],
    [
      'a body that awaits',
      '  - { id: x, type: code, code: "await null; nodes.made.list.push(1); return 1;" }',
    ],
  ])('in %s', async (_, node) => {
    expect(await failureOf(node)).toMatch(/(not extensible|read only).* change a copy/);
  });

  // Regression: the list was not frozen, and a later node could even decide how its trace reads.
  it.each([
    ['computes', '{ id: x, type: set, each: "row.tags", values: { a: "=item" } }'],
    ['waits', '{ id: x, type: delay, each: "[1, 2]", for: "=item" }'],
  ])('in the list of a node with each that %s', async (_, node) => {
    const later = '  - { id: y, type: code, code: "nodes.x.push(9); return 1;" }';
    expect(await failureOf(`  - ${node}\n${later}`)).toMatch(/not extensible/);
  });

  it('in a field of the output', async () => {
    expect(await failureOf('', '{ value: "=nodes.made.list.push(1)" }')).toMatch(/not extensible/);
  });
});
