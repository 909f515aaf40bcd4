import { describe, expect, it } from 'vitest';
import { reusableNodes } from '../../../src-main/executor/reusable-nodes.ts';
import { planOf } from '../../builders/execution-rig.ts';

/*
 *  input ─► a ─► b ─► c ─► result        only result reads d
 *     └───► d ────────────────┘
 */
const nodes = `nodes:
  - { id: input, type: input }
  - { id: a, type: set, values: { x: "=row.n" } }
  - { id: b, type: set, values: { x: "=nodes.a.x" } }
  - { id: c, type: set, values: { x: "=nodes.b.x" } }
  - { id: d, type: set, values: { x: 1 } }
  - { id: result, type: output, fields: { c: "=nodes.c.x", d: "=nodes.d.x" } }
`;

const reused = (from: string, before = nodes, now = nodes) =>
  reusableNodes(planOf(before), planOf(now), from);

describe('a rerun from a node', () => {
  it('reuses every node that does not wait for it', () => {
    expect(reused('b')).toEqual(['a', 'd']);
    expect(reused('c')).toEqual(['a', 'b', 'd']);
    expect(reused('result')).toEqual(['a', 'b', 'c', 'd']);
    expect(reused('input')).toEqual([]);
  });

  it('runs nodes whose definition changed, and what waits for them', () => {
    expect(reused('c', nodes, nodes.replace('"=row.n"', '"=row.n * 2"'))).toEqual(['d']);
    expect(reused('c', nodes, nodes.replace('x: 1', 'x: 2'))).toEqual(['a', 'b']);
  });

  it('runs nodes that read a variable with another value', () => {
    const reading = nodes.replace('x: 1', 'x: =vars.rate');
    const [one, two] = [1, 2].map((rate) => `vars: { rate: ${rate} }\n${reading}`);
    expect(reused('c', one, two)).toEqual(['a', 'b']);
  });

  it('runs nodes that were not there', () => {
    const now = nodes.replace('- { id: d,', '- { id: e, type: set, values: { x: 2 } }\n  - { id: d,');
    expect(reused('c', nodes, now)).toEqual(['a', 'b', 'd']);
  });

  it('does not mind where in the file a node stands', () => {
    expect(reused('c', nodes, nodes.replace('nodes:\n', '\n# moved\nnodes:\n'))).toEqual(['a', 'b', 'd']);
  });

  it('runs nodes that are mocked otherwise', () => {
    const mocked = nodes.replace('x: "=row.n" }', 'x: "=row.n" }, mock: { one: { value: { x: 7 } } }');
    const mocks = { a: 'one' };
    expect(reusableNodes(planOf(mocked), planOf(mocked, mocks), 'c')).toEqual(['d']);
    expect(reusableNodes(planOf(mocked, mocks), planOf(mocked, mocks), 'c')).toEqual(['a', 'b', 'd']);
  });

  it('reuses a node with a body that has only moved, and runs one whose body changed', () => {
    const loop = nodes.replace(
      'type: set, values: { x: 1 }',
      'type: workflow, row: {}, nodes: [{ id: o, type: output, fields: { x: 1 } }]',
    );
    expect(reused('c', loop, loop.replace('nodes:\n', '\n# moved\nnodes:\n'))).toEqual(['a', 'b', 'd']);
    expect(reused('c', loop, loop.replace('x: 1', 'x: 2'))).toEqual(['a', 'b']);
  });
});
