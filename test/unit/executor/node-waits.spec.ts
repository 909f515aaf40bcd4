import { describe, expect, it } from 'vitest';
import { mayCallConcurrently, nodeWaits } from '../../../src-main/executor/worker/node-waits.ts';
import { planOf } from '../../builders/execution-rig.ts';

const call = 'type: http, request: { url: "https://x.example" }';
const planWith = (nodes: string) =>
  planOf(`nodes:\n  - { id: input, type: input }\n${nodes}\n  - { id: out, type: output, fields: { a: 1 } }`);

/** Each node with the nodes that it waits for, `input` left out. */
function waitsIn(nodes: string): Record<string, string> {
  const plan = planWith(nodes);
  const idAt = (index: number): string => plan.nodes[index]?.id ?? '';
  return Object.fromEntries(
    nodeWaits(plan.nodes).map((before, index) => [
      idAt(index),
      before
        .filter((other) => other > 0)
        .map(idAt)
        .sort()
        .join(' '),
    ]),
  );
}

function areConcurrent(nodes: string): boolean {
  const plan = planWith(nodes);
  return mayCallConcurrently(
    nodeWaits(plan.nodes),
    plan.nodes.map(({ action }) => action === 'call'),
  );
}

describe('a node', () => {
  it('waits for what it reads and names', () => {
    expect(
      waitsIn(`  - { id: a, ${call} }
  - { id: b, type: set, values: { n: =nodes.a.status } }
  - { id: c, ${call}, after: [a, b] }
  - { id: d, ${call} }`),
    ).toEqual({ input: '', a: '', b: 'a', c: 'a b', d: '', out: '' });
  });

  it.each(['assert, that: row.ok, message: no', 'fail, message: no, chance: 0.1'])(
    'waits for a node before it of type %s',
    (guard) => {
      expect(
        waitsIn(`  - { id: a, ${call} }\n  - { id: g, type: ${guard} }\n  - { id: b, ${call} }`),
      ).toEqual({
        input: '',
        a: '',
        g: '',
        b: 'g',
        out: 'g',
      });
    },
  );

  it('waits for a delay before it, and a delay for all nodes before it', () => {
    expect(
      waitsIn(`  - { id: a, ${call} }\n  - { id: d, type: delay, for: 1s }\n  - { id: b, ${call} }`),
    ).toEqual({
      input: '',
      a: '',
      d: 'a',
      b: 'd',
      out: 'd',
    });
  });
});

describe('two calls', () => {
  it('may be under way at the same time if neither waits for the other', () => {
    expect(areConcurrent(`  - { id: a, ${call} }\n  - { id: b, ${call} }`)).toBe(true);
    expect(
      areConcurrent(
        `  - { id: a, ${call} }\n  - { id: m, type: code, code: return 1 }\n  - { id: b, ${call} }`,
      ),
    ).toBe(true);
  });

  it('follow each other where one waits for the other, also through other nodes', () => {
    expect(areConcurrent(`  - { id: a, ${call} }`)).toBe(false);
    expect(
      areConcurrent(`  - { id: a, ${call} }
  - { id: m, type: set, values: { n: =nodes.a.status } }
  - { id: b, ${call}, after: m }
  - { id: c, ${call}, when: nodes.b.status === 200 }`),
    ).toBe(false);
    expect(
      areConcurrent(`  - { id: a, ${call} }\n  - { id: d, type: delay, for: 1s }\n  - { id: b, ${call} }`),
    ).toBe(false);
  });
});
