import { expect, it } from 'vitest';
import { outlineOf } from '../../../../../src-main/domain/workflow/outline.ts';
import { draftNodeChanges } from '../../../../../src-renderer/state/workflow/files/draft-node-changes.ts';

const read = (text: string) => ({ text, nodes: outlineOf(text).nodes });
const node = (id: string, value: string): string =>
  `  - id: ${id}\n    type: set\n    values: { x: ${value} }\n`;
const saved = read(`nodes:\n${node('a', '1')}${node('b', '2')}${node('c', '3')}`);

it('nodes are new, changed or gone, and moved ones are none of them', () => {
  const draft = read(`# more lines\r\nnodes:\n\n${node('c', '3')}${node('a', '4')}${node('d', '2')}`);
  const { marks, gone } = draftNodeChanges(saved, draft);
  expect([...marks]).toEqual([
    ['a', 'changed'],
    ['d', 'new'],
  ]);
  expect(gone).toEqual(['b']);
});

it('a text with no node that differs has no changes', () => {
  const { marks, gone } = draftNodeChanges(
    saved,
    read(`# only a comment\n${saved.text.replaceAll('\n', '\r\n')}`),
  );
  expect([...marks.keys(), ...gone]).toEqual([]);
});
