// A read of a value is written at the caret (¦), as the value there needs it.
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { insertRead } from '../../../../../src-main/domain/authoring/language/insert-read.ts';
import type { PathStep } from '../../../../../src-main/domain/workflow/file-problem.ts';
import { readFile } from '../../../../../src-main/domain/workflow/read-file.ts';

const flow = (node: string): string => `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }
  - id: lead
    type: set
${node}
  - { id: result, type: output, fields: { a: 1 } }
`;

const city: readonly PathStep[] = ['row', 'address', 'city'];
const odd: readonly PathStep[] = ['nodes', 'ask-it', 'body', 'the "name"', 0, "it's"];

function inserted(text: string, path: readonly PathStep[]): string | undefined {
  const offset = text.indexOf('¦');
  const source = text.replace('¦', '');
  const found = insertRead(source, { offset }, { path });
  if (found.refusal !== undefined) return undefined;
  const changed = applyChanges(source, [found.change]);
  expect(readFile(changed).document, changed).toBeDefined();
  const shown = `${changed.slice(0, found.caret)}¦${changed.slice(found.caret)}`;
  const prefix = flow('').split('\n').slice(0, 6).join('\n').length + 1;
  return text.startsWith('{') ? shown : shown.slice(prefix, shown.indexOf('\n  - { id: result'));
}

describe('a read of a value', () => {
  it.each<[string, readonly PathStep[], string]>([
    ['    values:\n      a: ¦', city, '    values:\n      a: =row.address.city¦'],
    ['    values:\n      a: "¦"', city, '    values:\n      a: "=row.address.city¦"'],
    ['    values: { a: ¦ }', city, '    values: { a: =row.address.city¦ }'],
    [
      '    values: { a: ¦ }',
      odd,
      String.raw`    values: { a: "=nodes['ask-it'].body['the \"name\"'][0]['it\\'s']¦" }`,
    ],
    ['    values: { a: "=1 + ¦" }', city, '    values: { a: "=1 + row.address.city¦" }'],
    ["    values: { a: '=1 + ¦' }", ['row', 'a b'], "    values: { a: '=1 + row[''a b'']¦' }"],
    ['    values: { a: =1 + ¦ }', ['row', 'a b'], `    values: { a: "=1 + row['a b']¦" }`],
    ['    values: { a: "{{ ¦ }}!" }', city, '    values: { a: "{{ row.address.city¦ }}!" }'],
    ['    values:\n      a: Hello ¦!', city, '    values:\n      a: Hello {{ row.address.city }}¦!'],
    ['    values:\n      a: ¦Hello', city, '    values:\n      a: "{{ row.address.city }}¦Hello"'],
    ['    values: { a: Hello ¦! }', city, '    values: { a: "Hello {{ row.address.city }}¦!" }'],
    [
      '    values:\n      a: |\n        Dear ¦',
      city,
      '    values:\n      a: |\n        Dear {{ row.address.city }}¦',
    ],
    ['    when: ¦\n    values: {}', city, '    when: row.address.city¦\n    values: {}'],
    ['    when: 1 < ¦\n    values: {}', ['row'], '    when: 1 < row¦\n    values: {}'],
  ])('%j', (node, path, expected) => {
    expect(inserted(flow(node), path)).toBe(expected);
  });

  it('stands in quotes in a JSON file', () => {
    const text =
      '{ "rowbench": 1, "id": "leads", "nodes": [{ "id": "lead", "type": "set", "values": { "a": ¦ } }] }';
    expect(inserted(text, city)).toBe(text.replace('¦', '"=row.address.city¦"'));
  });

  it.each([
    ['a key', '    val¦ues: {}'],
    ['an id', '    values: {}\n  - { id: ¦, type: set }'],
    ['a comment', '    values: {} # see ¦'],
  ])('is refused in %s', (_, node) => {
    expect(inserted(flow(node), city)).toBeUndefined();
  });

  it('is refused in the node that gives the value', () => {
    const text = flow('    values: { a: "" }');
    expect(insertRead(text, { offset: text.indexOf('""') + 1 }, { path: ['nodes', 'lead', 'a'] })).toEqual({
      refusal: 'The node "lead" cannot read its own value',
    });
  });
});

describe('a read of a value in a field', () => {
  const text = flow('    values: { a: "old" } # stays');
  const read = (value: string, path: readonly PathStep[]) => {
    const at = value.indexOf('¦');
    const typed = value.replace('¦', '');
    const found = insertRead(
      text,
      { offset: at, value: { path: ['nodes', 1, 'values', 'a'], text: typed } },
      { path },
    );
    if (found.refusal !== undefined) return found.refusal;
    const changed = applyChanges(typed, [found.change]);
    return `${changed.slice(0, found.caret)}¦${changed.slice(found.caret)}`;
  };

  it.each<[string, readonly PathStep[], string]>([
    ['¦', city, '=row.address.city¦'],
    ['=1 + ¦ # "a": b', city, '=1 + row.address.city¦ # "a": b'],
    ['Dear ¦, hello', city, 'Dear {{ row.address.city }}¦, hello'],
    ['=row.size¦', city, '=row.size row.address.city¦'],
    ['=¦row.size', city, '=row.address.city ¦row.size'],
    ['¦', ['row', 'm²', 'ünit', '2x', 'class'], "=row['m²'].ünit['2x'].class¦"],
    ['¦', ['row', 'a\r\n\\"'], String.raw`=row['a\r\n\\"']¦`],
    ['={ x: ¦ }', odd, `={ x: nodes['ask-it'].body['the "name"'][0]['it\\'s']¦ }`],
  ])('is written into %j at the caret, without escapes', (value, path, expected) => {
    expect(read(value, path)).toBe(expected);
  });

  it('reads the item of the list that the node has in "each"', () => {
    const name: readonly PathStep[] = ['nodes', 'ask-it', 'body', 2, 'name'];
    const each = text.replace(
      '    values',
      "    each: =nodes['ask-it'].body\n    when: row.size\n    values",
    );
    const read = (source: string, path: readonly PathStep[], key = 'values') => {
      const found = insertRead(source, { offset: 0, value: { path: ['nodes', 1, key], text: '' } }, { path });
      return found.refusal ?? found.change.insert;
    };
    expect(read(each, name)).toBe('=item.name');
    expect(read(each, name.slice(0, 4))).toBe('=item');
    expect(read(each, name.slice(0, 3))).toBe("=nodes['ask-it'].body");
    expect(read(each, name, 'when')).toBe("nodes['ask-it'].body[2].name");
    expect(read(text, name)).toBe("=nodes['ask-it'].body[2].name");
  });

  it('of an item is written only in a node that has items', () => {
    expect(read('=¦', ['item', 'name'])).toBe('Only values of a node with "each" can read an item');
    expect(inserted(flow('    each: row.list\n    values: { a: =¦ }'), ['item', 'name'])).toBe(
      '    each: row.list\n    values: { a: =item.name¦ }',
    );
  });

  it('of an item is refused in another node that has items', () => {
    const each = flow('    each: row.list\n    values: { a: = }');
    const site = { offset: 1, value: { path: ['nodes', 1, 'values', 'a'], text: '=' } };
    const readItemOf = (itemOf: string) => insertRead(each, site, { path: ['item', 'name'], itemOf });
    expect(readItemOf('parts')).toEqual({ refusal: 'An item of "parts" can only be read in "parts"' });
    expect(readItemOf('lead')).toMatchObject({ change: { insert: 'item.name' } });
  });

  it('is refused for the value of the node itself', () => {
    expect(read('=¦', ['nodes', 'lead'])).toContain('cannot read its own value');
  });
});
