import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../../src-main/domain/workflow/outline.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

const file = (nodes: string) => `rowbench: 1\nid: w\nnodes:\n${nodes}`;
const arrows = (text: string) => outlineOf(text).edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`);

//  input ─(row)─► lead ─► result
//                   └╌╌► pause (after)
const small = file(`  - id: input
    type: input
    fields: { name: { type: string }, email: {} }

  # What it is about.
  - id: lead
    type: set
    values:
      host: "=row.email"

  # Said of the next one.
  - { id: pause, type: delay, for: 2s, after: lead }
  - id: result
    type: output
    fields:
      host: "=nodes.lead.host"
`);

describe('the outline of a workflow file', () => {
  it('has each node with its own lines, comments around it left out', () => {
    const nodes = outlineOf(small).nodes.map((node) => ({ ...node, title: node.title === '' ? '' : 'T' }));
    expect(nodes).toMatchObject([
      { id: 'input', index: 0, type: 'input', title: 'T', summary: 'name, email', first: 4, last: 6 },
      {
        id: 'lead',
        index: 1,
        type: 'set',
        title: 'T',
        summary: 'host',
        note: 'What it is about.',
        first: 9,
        last: 12,
      },
      {
        id: 'pause',
        index: 2,
        type: 'delay',
        title: 'T',
        summary: '2s',
        note: 'Said of the next one.',
        first: 15,
        last: 15,
      },
      { id: 'result', index: 3, type: 'output', title: 'T', summary: 'host', first: 16, last: 19 },
    ]);
  });

  it('has the lines of the names that a value gets from the file', () => {
    expect(outlineOf(small).nodes.map(({ members }) => members)).toEqual([
      [
        ['name', 6],
        ['email', 6],
      ],
      [['host', 12]],
      undefined,
      [['host', 19]],
    ]);
  });

  it('draws what reads what, what waits for what, and what begins with the row', () => {
    expect(arrows(small)).toEqual(['input row lead', 'lead after pause', 'lead reads result']);
  });

  it('has conditions and lists of items, and the edges that only a condition makes', () => {
    const text = file(`  - { id: input, type: input }
  - { id: size, type: set, values: { label: =row.size } }
  - { id: mail, type: set, when: "nodes.size.label   == 'large'", values: { x: 1 } }
  - { id: both, type: set, when: nodes.size, each: nodes.mail, values: { x: =nodes.size.label } }
  - { id: broken, type: sett, when: nodes.size.label }
  - { id: always, type: set, when: true, each: [1, 2], values: { x: 1 } }`);
    expect(outlineOf(text).nodes.map(({ when, each }) => [when, each])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ["nodes.size.label == 'large'", undefined],
      ['nodes.size', 'nodes.mail'],
      ['nodes.size.label', undefined],
      ['true', '[1,2]'],
    ]);
    expect(arrows(text)).toEqual([
      'input row size',
      'size when mail',
      'size reads both',
      'mail reads both',
      'size when broken',
      'input row always',
    ]);
  });

  it('makes out what it can of a file with errors', () => {
    const text = file(`  - { id: input, type: input }
  - { id: a, type: sett, values: { x: "=nodes['input'].x +" } }
  - { id: b, type: set, values: { x: "{{ nodes.a.x }} {{ nodes.gone.x }}" }, extra: 1 }
  - { id: b, type: set }
  - 7
  - { type: output }`);
    expect(outlineOf(text).nodes.map(({ id, type, first }) => `${id} ${type} ${first}`)).toEqual([
      'input input 4',
      'a sett 5',
      'b set 6',
    ]);
    expect(arrows(text)).toEqual(['input reads a', 'a reads b']);
  });

  it('leaves out the edges that nobody could tell apart, and says how many', () => {
    const ids = Array.from({ length: 100 }, (_, n) => `n${n}`);
    const lines = ids.map(
      (id, n) => `  - { id: ${id}, type: delay, for: 1s, after: [${ids.slice(0, n).join(', ')}] }`,
    );
    const { nodes, edges, edgesLeftOut } = outlineOf(file(lines.join('\n')));
    expect(nodes).toHaveLength(100);
    expect(edges.length).toBeLessThanOrEqual(2_000);
    expect(edges.length + edgesLeftOut).toBe((100 * 99) / 2);
    // What each follows at once is still there.
    expect(new Set(edges.map(({ from, to }) => `${from} ${to}`))).toContain('n98 n99');
    expect(new Set(edges.map(({ to }) => to)).size).toBe(99);
    expect(outlineOf(small).edgesLeftOut).toBe(0);
  });

  it.each(['', 'a: [', '- 1', 'nodes: 7', 'nodes: [{ id: x }]', '\ufeffrowbench: 1'])(
    'takes any text: %j',
    (text) => {
      expect(() => outlineOf(text)).not.toThrow();
    },
  );

  it('says in one line what each node of the examples does', () => {
    const folder = new URL('../../../../examples/', import.meta.url);
    const all = readdirSync(folder)
      .filter((name) => name.endsWith('.workflow.yaml'))
      .flatMap((name) => outlineOf(readFileSync(new URL(name, folder), 'utf8')).nodes);
    expect(all.length).toBeGreaterThan(30);
    expect(
      all.filter(({ summary }) => summary === '' || summary.includes('\n') || summary.length > 120),
    ).toEqual([]);
  });
});

it('is the same before and after the check of its text', () => {
  const text = file(`  - { id: input, type: input }
  - { id: a, type: set, values: { x: =row.x } }
  - { id: b, type: set, values: { x: =nodes.a.x, y: =vars.gone } }
  - { id: result, type: output, fields: { x: =nodes.b.x } }
`);
  const before = outlineOf(text);
  expect(parseWorkflow(text).issues).toMatchObject([{ nodeId: 'b' }]);
  expect(outlineOf(text)).toEqual(before);
});
