// The picker of nodes: everyday words find the right entry, and each entry gives a valid file.
import { expect, it } from 'vitest';
import { editWorkflow } from '../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { nodeTypeNames, nodeTypes } from '../../../../src-main/domain/nodes/catalogue.ts';
import { findEntries, nodeEntries, searchHint } from '../../../../src-main/domain/nodes/node-entries.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

const entries = nodeEntries(nodeTypeNames.map((type) => nodeTypes[type]));
const firstOf = (search: string): string | undefined => findEntries(entries, search)[0]?.title;

const lists = 'Filter, change or join lists and objects';

it.each<readonly [search: string, title: string]>([
  ['if', 'Condition'],
  ['else', 'Condition'],
  ['branch', 'Condition'],
  ['condition', 'Condition'],
  ['loop', 'For each item'],
  ['for each', 'For each item'],
  ['filter', lists],
  ['map', lists],
  ['merge', lists],
  ['split', lists],
  ['clean', 'Set values'],
  ['formula', 'Set values'],
  ['csv', 'Look up in a table'],
  ['excel', 'Look up in a table'],
  ['table', 'Look up in a table'],
  ['api', 'HTTP request'],
  ['request', 'HTTP request'],
  ['webhook', 'Send to a webhook'],
  ['gpt', 'Ask a model'],
  ['ai', 'Ask a model'],
  ['chat', 'Ask a model'],
  ['wait', 'Wait'],
  ['stop', 'Stop the row unless'],
  // Types, beginnings, a wrong letter, and words of a summary.
  ...nodeTypeNames.map((type) => [type, nodeTypes[type].intents[0].title] as const),
  ['Classif', 'Sort with a model'],
  ['webhok', 'Send to a webhook'],
  ['repeatably', 'Fail on purpose'],
])('the first entry for %s is %s', (search, title) => {
  expect(firstOf(search)).toBe(title);
});

it('a search finds nothing by chance, and all entries when it is empty', () => {
  expect(findEntries(entries, 'kubernetes')).toEqual([]);
  expect(findEntries(entries, 'for zebra')).toEqual([]);
  expect(findEntries(entries, ' ')).toEqual(entries);
  expect(searchHint('schedule')).toContain('Snippets');
  expect(searchHint('set')).toBeUndefined();
});

const empty = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: {} }
`;

const errorsOf = (text: string): readonly string[] =>
  parseWorkflow(text).issues.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));

it.each(entries.filter((entry) => entry.kind !== 'node' || entry.type !== 'input'))(
  'the entry $title gives a valid file',
  (entry) => {
    const node = entry.kind === 'node' ? { type: entry.type, ...entry.newKeys } : { type: 'set', values: {} };
    const keyed = entry.kind === 'key' ? { ...node, [entry.key]: entry.value } : node;
    const edit =
      entry.kind === 'template'
        ? ({ kind: 'pasteNodes', text: entry.text, index: 1 } as const)
        : ({ kind: 'addNode', node: { id: 'added', ...keyed }, index: 1 } as const);
    const { changes = [], refusal } = editWorkflow(empty, edit) as {
      changes?: readonly { from: number; to: number; insert: string }[];
      refusal?: unknown;
    };
    expect(refusal).toBeUndefined();
    const text = changes.reduceRight(
      (all, { from, to, insert }) => all.slice(0, from) + insert + all.slice(to),
      empty,
    );
    expect(text).not.toBe(empty);
    expect(errorsOf(text)).toEqual([]);
  },
);
