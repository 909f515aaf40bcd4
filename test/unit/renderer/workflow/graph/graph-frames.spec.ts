import { describe, expect, it } from 'vitest';
import { findNodes } from '../../../../../src-renderer/state/workflow/graph/find-nodes.ts';
import { framesOf, outlineRows } from '../../../../../src-renderer/state/workflow/graph/graph-frames.ts';
import { layoutGraph } from '../../../../../src-renderer/state/workflow/graph/graph-layout.ts';

const node = (id: string, when?: string, first = 1, last = first) => ({
  ...{ id, index: 0, path: ['nodes', 0], type: 'set', title: 'Set values', summary: '', first, last },
  ...(when === undefined ? {} : { when }),
});

describe('frames of a graph', () => {
  const large = "size === 'large'";
  const edges = [
    { from: 'size', to: 'opener' },
    { from: 'opener', to: 'mail' },
    { from: 'mail', to: 'result' },
  ];
  const nodes = [node('size'), node('opener', large), node('mail', large), node('result')];

  it('stand around neighbours with the same condition', () => {
    const layout = layoutGraph(
      nodes.map(({ id }) => id),
      edges,
    );
    const [frame, ...others] = framesOf(nodes, layout.nodes);
    expect(others).toEqual([]);
    expect(frame).toMatchObject({ when: large, ids: ['opener', 'mail'] });
    for (const { id, x, y } of layout.nodes) {
      const isInside = frame !== undefined && x > frame.x && x < frame.x + frame.width && y > frame.y;
      expect([id, isInside]).toEqual([id, frame?.ids.includes(id)]);
    }
  });

  it('contain no card with another condition', () => {
    const at = (id: string, layer: number, row: number) => ({ id, layer, x: layer * 264, y: row * 84 });
    const positions = [at('a', 0, 0), at('other', 0, 1), at('b', 0, 2), at('c', 3, 0)];
    const conditional = [node('a', 'x'), node('other'), node('b', 'x'), node('c', 'x')];
    expect(framesOf(conditional, positions)).toEqual([]);
    const together = framesOf(conditional, [at('a', 0, 0), at('b', 0, 1), at('other', 0, 2)]);
    expect(together.map(({ ids }) => ids)).toEqual([['a', 'b']]);
  });

  it('are lines of the outline above their nodes', () => {
    const rows = outlineRows([...nodes, node('alone', large)]);
    expect(rows.map((row) => ('node' in row ? [row.node.id, row.isFramed] : row.ids))).toEqual([
      ['size', false],
      ['opener', 'mail'],
      ['opener', true],
      ['mail', true],
      ['result', false],
      ['alone', false],
    ]);
  });
});

describe('the search for nodes', () => {
  const text = '- id: step1\n  type: set\n- id: step12\n  retry: 3\n- id: last\n  after: step1';
  const nodes = [
    node('last', undefined, 5, 6),
    node('step12', undefined, 3, 4),
    node('step1', undefined, 1, 2),
  ];
  const find = (query: string) => findNodes(nodes, text, query).map((found) => [found.node.id, found.line]);

  it.each([
    [
      'step1',
      [
        ['step1', undefined],
        ['step12', undefined],
        ['last', 'after: step1'],
      ],
    ],
    ['P12', [['step12', undefined]]],
    ['retry', [['step12', 'retry: 3']]],
    [
      'set values',
      [
        ['last', undefined],
        ['step12', undefined],
        ['step1', undefined],
      ],
    ],
    [' ', []],
    ['nothing', []],
  ])('finds names, types, keys and texts: %j', (query, found) => {
    expect(find(query)).toEqual(found);
  });
});
