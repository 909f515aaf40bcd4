import { describe, expect, it } from 'vitest';
import { findCycles, orderNodes, type Dependencies } from '../../../../src-main/domain/workflow/graph.ts';
import { nodeReads } from '../../../../src-main/domain/workflow/node-reads.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

// In the pictures an arrow goes from a node to what reads it or comes after it.

const orderOf = (nodes: string, output?: string): string => {
  const { workflow, issues } = parseWorkflow(workflowText(nodes, output));
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  return orderNodes(workflow?.nodes ?? [])
    .map((node) => node.id)
    .join(' ');
};

describe('the order of nodes', () => {
  // input   a   b   result      (nothing reads anything)
  it('is that of the file where nothing else decides', () => {
    const nodes = '  - { id: a, type: set, values: { x: 1 } }\n  - { id: b, type: set, values: { x: 1 } }';
    expect(orderOf(nodes)).toBe('input a b result');
  });

  // c ──► b ──► a ──► result    (written a, b, c)
  it('follows what expressions read, against the order of the file', () => {
    const nodes = `
  - { id: a, type: set, values: { x: "=nodes.b.x" } }
  - { id: b, type: set, values: { x: "{{ nodes.c.x }}" } }
  - { id: c, type: set, values: { x: 1 } }`;
    expect(orderOf(nodes, '{ x: "=nodes.a.x" }')).toBe('input c b a result');
  });

  //      ┌──► left ───┐
  // top ─┤            ├──► bottom    (written bottom, right, left, top)
  //      └──► right ──┘
  it('takes a diamond once, its sides in file order', () => {
    const nodes = `
  - { id: bottom, type: set, values: { x: ["=nodes.left", { y: "=nodes.right" }] } }
  - { id: right, type: set, values: { x: "=nodes.top.x" } }
  - { id: left, type: set, values: { x: "=nodes.top.x" } }
  - { id: top, type: set, values: { x: 1 } }`;
    expect(orderOf(nodes, '{ x: "=nodes.bottom" }')).toBe('input top right left bottom result');
  });

  it.each([
    ['after, a name', '{ id: a, type: delay, for: 1s, after: z }'],
    ['after, a list', '{ id: a, type: delay, for: 1s, after: [input, z] }'],
    ['when', '{ id: a, type: delay, for: 1s, when: nodes.z }'],
    ['each', '{ id: a, type: delay, for: 1s, each: "=nodes.z" }'],
    ['onError', '{ id: a, type: delay, for: 1s, onError: { value: { x: "=nodes.z" } } }'],
    ['a wait', '{ id: a, type: delay, for: =nodes.z }'],
    ['a case', '{ id: a, type: switch, cases: [{ when: nodes.z, value: 1 }] }'],
    ["a case's value", '{ id: a, type: switch, cases: [{ when: true, value: "=nodes.z" }] }'],
    ['a default', '{ id: a, type: switch, cases: [{ when: true, value: 1 }], default: "{{ nodes.z }}" }'],
    ['code', '{ id: a, type: code, code: "const { z } = nodes; return z;" }'],
    ['a message', '{ id: a, type: assert, that: true, message: "{{ nodes.z }}" }'],
  ])('counts what is read in %s', (_, node) => {
    expect(orderOf(`  - ${node}\n  - { id: z, type: set, values: { x: 1 } }`)).toBe('input z a result');
  });

  it('does not count data that only looks like an expression', () => {
    const literal = '{ kind: expression, nodeRefs: [z] }';
    const nodes = `  - { id: a, type: set, values: { x: ${literal} } }\n  - { id: z, type: set, values: { x: 1 } }`;
    expect(orderOf(nodes)).toBe('input a z result');
  });

  it('does not count test rows or a JSON Schema that look like expressions', () => {
    const look = '{ kind: expression, source: nodes.result, safeSource: nodes.result, nodeRefs: [result] }';
    const { workflow, issues } = parseWorkflow(`rowbench: 1
id: sample
nodes:
  - { id: input, type: input, testRows: [{ kind: expression }, ${look}] }
  - id: ask
    type: llm
    baseUrl: http://localhost:1/v1
    model: m
    messages: [{ role: user, content: x }]
    json: { type: object, properties: { a: { const: ${look} } } }
  - { id: result, type: output, fields: { a: =nodes.ask } }
`);
    expect(issues).toEqual([]);
    expect(orderNodes(workflow?.nodes ?? []).map((node) => node.id)).toEqual(['input', 'ask', 'result']);
    expect(workflow?.nodes.map(nodeReads)).toEqual([[], [], ['ask']]);
  });

  it('has the input node first, wherever it stands', () => {
    const text = `rowbench: 1
id: sample
nodes:
  - { id: result, type: output, fields: { a: =row.a } }
  - { id: rows, type: input }
`;
    expect(orderNodes(parseWorkflow(text).workflow?.nodes ?? []).map((node) => node.id)).toEqual([
      'rows',
      'result',
    ]);
  });
});

describe('cycles', () => {
  const graph = (edges: Record<string, string>): Dependencies =>
    new Map(Object.entries(edges).map(([id, before]) => [id, new Set(before.split(' ').filter(Boolean))]));

  it.each<[string, Record<string, string>, string[][]]>([
    // a ──► b ──► c
    ['none in a line', { a: '', b: 'a', c: 'b' }, []],
    // a ◄─┐
    // └───┘
    ['a node that waits for itself', { a: 'a' }, [['a']]],
    // a ──► c ──► b ──► a, and d after c
    [
      'a ring, from its first node in the file, without what hangs on it',
      { d: 'c', a: 'b', b: 'c', c: 'a' },
      [['a', 'b', 'c']],
    ],
    // a ⇄ b     c ⇄ d
    [
      'two rings',
      { a: 'b', b: 'a', c: 'd', d: 'c' },
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    // a ⇄ b ──► c ⇄ d
    [
      'a ring behind a ring',
      { a: 'b', b: 'a', c: 'b d', d: 'c' },
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('are found: %s', (_, edges, cycles) => {
    expect(findCycles(graph(edges))).toEqual(cycles);
  });

  it('are named in an issue, at the node where they begin', () => {
    const nodes = `
  - { id: a, type: set, values: { x: "=nodes.b.x" } }
  - { id: b, type: set, values: { x: "=nodes.c.x" } }
  - { id: c, type: set, after: [a], values: { x: 1 } }`;
    expect(parseWorkflow(workflowText(nodes)).issues).toEqual([
      {
        severity: 'error',
        line: 6,
        column: 11,
        nodeId: 'a',
        message: 'These nodes wait for each other: a -> b -> c -> a',
      },
    ]);
  });
});
