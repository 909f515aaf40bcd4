import { describe } from 'vitest';
import type { JsonValue } from '../../../../../src-main/base/json-value.ts';
import { editText } from '../../../../../src-main/domain/authoring/edit/edit-text.ts';
import type { Path } from '../../../../../src-main/domain/authoring/edit/editable-file.ts';
import type { FileEdit } from '../../../../../src-main/domain/authoring/edit/file-edit.ts';
import { runEditCases, type EditCase } from './run-edit-cases.ts';

const edit = (title: string, fileEdit: FileEdit, before: string, after: string | RegExp): EditCase => ({
  title,
  before,
  after,
  edit: (text) => editText(text, fileEdit),
});
const insert = (path: Path, index: number, value: JsonValue): FileEdit => ({
  kind: 'insertItem',
  path,
  index,
  value,
});
const insertKey = (path: Path, key: string, value: JsonValue, before?: string): FileEdit => ({
  kind: 'insertKey',
  path,
  key,
  value,
  ...(before === undefined ? {} : { before }),
});
const remove = (...path: Path): FileEdit => ({ kind: 'removeItem', path });
const move = (path: Path, to: number): FileEdit => ({ kind: 'moveItem', path, to });
const copy = (path: Path, to: number): FileEdit => ({ kind: 'copyItem', path, to });
const rename = (path: Path, key: string): FileEdit => ({ kind: 'renameKey', path, key });
const comment = (path: Path, text: string): FileEdit => ({ kind: 'setComment', path, text });

const nodes = `nodes:
  # About a.
  - id: a
    type: set # simple

  # About b.
  - id: b
    type: code
    code: |
      return 1;
    # mock: none

  - { id: c, type: set }
other: 1
`;

const d = { id: 'd', type: 'delay', for: '1s' };

describe('a new item', () => {
  runEditCases([
    edit(
      'stands in front of another and its comment',
      insert(['nodes'], 1, d),
      nodes,
      nodes.replace('  # About b.', '  - id: d\n    type: delay\n    for: 1s\n\n  # About b.'),
    ),
    edit(
      'stands at the end in the way of its neighbour',
      insert(['nodes'], 3, d),
      nodes,
      nodes.replace('type: set }', 'type: set }\n\n  - { id: d, type: delay, for: 1s }'),
    ),
    edit(
      'stands in front of all',
      insert(['nodes'], 0, d),
      nodes,
      nodes.replace('  # About a.', '  - id: d\n    type: delay\n    for: 1s\n\n  # About a.'),
    ),
    edit(
      'takes the column and blanks of the dashes',
      insert(['a'], 1, { x: 1, y: 2 }),
      'a:\n-   x: 0\n    y: 0\n',
      'a:\n-   x: 0\n    y: 0\n-   x: 1\n    y: 2\n',
    ),
    edit('stands behind the comment of the last line', insert([], 1, 'b'), '- a # one\n', '- a # one\n- b\n'),
    edit(
      'fills an empty list with lines',
      insert(['a'], 0, { b: 1 }),
      'a: [] # why\nc:\n    d: 1\n',
      'a: # why\n    - b: 1\nc:\n    d: 1\n',
    ),
    edit('fills an empty list in its brackets', insert(['a'], 0, 'x'), 'a: [] # why\n', 'a: [x] # why\n'),
    edit('fills nothing at all', insert(['a'], 0, { b: 1 }), 'a:\nc: 1\n', 'a:\n  - b: 1\nc: 1\n'),
    edit('stands in brackets', insert(['a'], 1, 'x, y'), 'a: [b,c] # why\n', 'a: [b,"x, y",c] # why\n'),
    edit('stands at the end of brackets', insert(['a'], 1, 2), 'a: [ 1 ]\n', 'a: [ 1, 2 ]\n'),
    edit(
      'stands in brackets over lines',
      insert(['a'], 2, 'c'),
      'a: [\n    a,\n    b, # two\n  ]\n',
      'a: [\n    a,\n    b, # two\n    c,\n  ]\n',
    ),
    edit(
      'stands behind the comment of the last line in brackets',
      insert(['a'], 2, 'c'),
      'a: [\n    a,\n    b # two\n  ]\n',
      'a: [\n    a,\n    b, # two\n    c\n  ]\n',
    ),
    edit(
      'stands in JSON over lines',
      insert(['a'], 1, { b: 2 }),
      '{\n\t"a": [\n\t\t{\n\t\t\t"b": 1\n\t\t}\n\t]\n}\n',
      '{\n\t"a": [\n\t\t{\n\t\t\t"b": 1\n\t\t},\n\t\t{\n\t\t\t"b": 2\n\t\t}\n\t]\n}\n',
    ),
    edit(
      'stands in JSON on a line like its neighbours',
      insert(['a'], 1, { b: 2 }),
      '{\n  "a": [\n    {"b": 1}\n  ]\n}\n',
      '{\n  "a": [\n    {"b": 1},\n    {"b": 2}\n  ]\n}\n',
    ),
    edit(
      'fills an empty list in JSON',
      insert(['a'], 0, 1),
      '{\n  "a": []\n}\n',
      '{\n  "a": [\n    1\n  ]\n}\n',
    ),
    edit(
      'holds code as a block',
      insert(['nodes'], 2, { id: 'x', code: 'a;\nb;\n' }),
      nodes,
      nodes.replace('  - { id: c', '  - id: x\n    code: |\n      a;\n      b;\n\n  - { id: c'),
    ),
    edit(
      'stands in a list that begins behind a dash',
      insert([0], 0, 'x'),
      '- - a\n  - b\n',
      '- - x\n  - a\n  - b\n',
    ),
    edit('is refused beyond the end', insert(['a'], 3, 1), 'a: [1]\n', /no a\[3\]/),
  ]);
});

describe('a new key', () => {
  runEditCases([
    edit(
      'stands at the end, in front of the next item and its comment',
      insertKey(['nodes', 0], 'when', 'row.x'),
      nodes,
      nodes.replace('set # simple\n', 'set # simple\n    when: row.x\n'),
    ),
    edit(
      'stands in front of another',
      insertKey(['nodes', 1], 'each', '=row.list', 'code'),
      nodes,
      nodes.replace('    code:', '    each: =row.list\n    code:'),
    ),
    edit(
      'stands behind a block',
      insertKey(['nodes', 1], 'mock', { x: 1 }),
      nodes,
      nodes.replace('return 1;\n', 'return 1;\n    mock:\n      x: 1\n'),
    ),
    edit(
      'stands in braces',
      insertKey(['nodes', 2], 'when', true),
      nodes,
      nodes.replace('type: set }', 'type: set, when: true }'),
    ),
    edit('has quotes where YAML reads something else', insertKey([], '12', 1), 'a: 1\n', 'a: 1\n"12": 1\n'),
    edit('has quotes where it is a merge key', insertKey([], '<<', 1), "a: 'x'\n", "a: 'x'\n'<<': 1\n"),
    edit(
      'is the first of an object behind a dash',
      insertKey([0], 'x', 1, 'a'),
      '- a: 1 # one\n  b: 2\n',
      '- x: 1\n  a: 1 # one\n  b: 2\n',
    ),
    edit(
      'fills empty braces',
      insertKey(['a'], 'x', { y: 1 }),
      'a: {}\nb: 1\n',
      'a:\n  x:\n    y: 1\nb: 1\n',
    ),
    edit('stands in JSON', insertKey([], 'b', [1]), '{ "a": 1 }\n', '{ "a": 1, "b": [1] }\n'),
    edit('is refused where it is taken', insertKey([], 'a', 2), 'a: 1\n', /already/),
    edit(
      'leaves comments at the end of the file',
      insertKey([], 'b', 2),
      'a: 1\n\n# The end.\n',
      'a: 1\nb: 2\n\n# The end.\n',
    ),
  ]);
});

describe('a removed item', () => {
  runEditCases([
    edit(
      'goes with its comment and blank line',
      remove('nodes', 0),
      nodes,
      nodes.replace('  # About a.\n  - id: a\n    type: set # simple\n\n', ''),
    ),
    edit(
      'goes with comments at its end',
      remove('nodes', 1),
      nodes,
      nodes.replace(/ {2}# About b[^]*none\n\n/, ''),
    ),
    edit('goes from the end', remove('nodes', 2), nodes, nodes.replace('\n  - { id: c, type: set }\n', '')),
    edit(
      'leaves a comment that is followed by a blank line',
      remove(1),
      '- a\n\n# Group.\n\n# b\n- b\n- c\n',
      '- a\n\n# Group.\n\n- c\n',
    ),
    edit('leaves a comment behind it', remove(0), '- a\n\n# Group.\n\n- b\n', '# Group.\n\n- b\n'),
    edit(
      'leaves comments at the end of the file',
      remove(1),
      '- a\n- b # b\n\n# The end.\n',
      '- a\n\n# The end.\n',
    ),
    edit('leaves empty brackets behind', remove('a', 0), 'a: # why\n  - b: 1\nc: 1\n', 'a: [] # why\nc: 1\n'),
    edit('leaves empty braces behind', remove(0, 'a'), '- a: 1\n- b\n', '- {}\n- b\n'),
    edit('leaves brackets', remove('a', 1), 'a: [b,  c, d]\n', 'a: [b,  d]\n'),
    edit('leaves the end of brackets', remove('a', 2), 'a: [ b, c, d ]\n', 'a: [ b, c ]\n'),
    edit('leaves the last brackets empty', remove('a', 0), 'a: [ b ]\n', 'a: []\n'),
    edit(
      'goes with its comment from brackets over lines',
      remove('a', 0),
      'a: [\n  a, # one\n  # two\n  b,\n]\n',
      'a: [\n  # two\n  b,\n]\n',
    ),
    edit('goes from JSON', remove('b'), '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n', '{\n  "a": 1\n}\n'),
    edit('is a key behind a dash', remove(0, 'a'), '- a: 1\n  b: 2\n- c\n', '- b: 2\n- c\n'),
    edit(
      'is a key with a block',
      remove('nodes', 1, 'code'),
      nodes,
      nodes.replace('    code: |\n      return 1;\n', ''),
    ),
    edit('is refused where the file would be empty', remove('a'), 'a: 1\n', /would be empty/),
    edit('is refused where it is the anchor of an alias', remove('a', 0), 'a: [&x 1, 2]\nb: *x\n', /anchor/),
  ]);
});

describe('a moved item', () => {
  runEditCases([
    edit(
      'takes its comments along, and the blank lines stay between items',
      move(['nodes', 1], 0),
      nodes,
      `nodes:
  # About b.
  - id: b
    type: code
    code: |
      return 1;
    # mock: none

  # About a.
  - id: a
    type: set # simple

  - { id: c, type: set }
other: 1
`,
    ),
    edit('goes to the end', move([0], 2), '- a # one\n# b\n- b\n- c\n', '# b\n- b\n- c\n- a # one\n'),
    edit('goes to the front', move([2], 0), '- a\n- b\n# c\n- c # three\n', '# c\n- c # three\n- a\n- b\n'),
    edit('stays where it is', move([1], 1), '- a\n- b\n', '- a\n- b\n'),
    edit(
      'leaves comments of no item',
      move([0], 1),
      '- a\n\n# Group.\n\n- b\n- c\n',
      '# Group.\n\n- b\n- a\n- c\n',
    ),
    edit('is a key', move(['b'], 0), 'x: 1\na:\n  - 1\nb: 2 # two\n', 'b: 2 # two\nx: 1\na:\n  - 1\n'),
    edit('is a key behind a dash', move([0, 'b'], 0), '- a: 1\n  b: 2\n', '- b: 2\n  a: 1\n'),
    edit('goes along in brackets', move(['a', 0], 2), 'a: [ 1,2, 3 ]\n', 'a: [ 2, 3, 1 ]\n'),
    edit(
      'goes along in JSON',
      move(['b'], 0),
      '{\n  "a": 1,\n  "b": [2]\n}\n',
      '{\n  "b": [2],\n  "a": 1\n}\n',
    ),
    edit('is refused beyond the end', move([0], 2), '- a\n- b\n', /no position 2/),
    edit(
      'is refused among comments in brackets',
      move(['a', 0], 1),
      'a: [\n  1, # one\n  2,\n]\n',
      /[Cc]omments/,
    ),
  ]);
});

describe('a copied item', () => {
  runEditCases([
    edit(
      'has the comments, quotes and columns of the first',
      copy([1], 2),
      '- z\n# a\n- id:   "a" # x\n- b\n',
      '- z\n# a\n- id:   "a" # x\n# a\n- id:   "a" # x\n- b\n',
    ),
    edit('stands in brackets', copy(['a', 0], 1), 'a: [{b: 1}, c]\n', 'a: [{b: 1}, {b: 1}, c]\n'),
  ]);
});

describe('a renamed key', () => {
  runEditCases([
    edit('keeps its value', rename(['a'], 'b'), 'a:   1 # one\nc: 2\n', 'b:   1 # one\nc: 2\n'),
    edit('keeps its quotes', rename(["a's"], "b's"), "'a''s': 1\n", "'b''s': 1\n"),
    edit('has quotes where it needs them', rename(['a'], 'b: c'), 'a: 1\n', '"b: c": 1\n'),
    edit('is explicit', rename(['a'], 'b'), '? a\n: 1\n', '? b\n: 1\n'),
    edit('is refused where it is taken', rename(['a'], 'b'), 'a: 1\nb: 2\n', /already/),
    edit('stays JSON', rename(['a'], 'b'), '{"a":1}\n', '{"b":1}\n'),
  ]);
});

describe('a new comment', () => {
  runEditCases([
    edit(
      'stands above a key',
      comment([0, 'b'], 'Why b.'),
      '- a: 1\n  b: 2\n',
      '- a: 1\n  # Why b.\n  b: 2\n',
    ),
    edit(
      'takes the place of the one that is there',
      comment([1], 'New.\nTwo lines.'),
      '- a\n# Old.\n# Lines.\n- b # stays\n',
      '- a\n# New.\n# Two lines.\n- b # stays\n',
    ),
    edit(
      'is removed with an empty text',
      comment([1], ''),
      '- a\n\n  # Old.\n- b\n',
      '- a\n\n  # Old.\n- b\n',
    ),
    edit('is removed in its column', comment([1], ' '), '- a\n\n# Old.\n- b\n', '- a\n\n- b\n'),
    edit('has no line in brackets', comment(['a', 'b'], 'Why b.'), 'a: { b: 1 }\n', /no line for a comment/),
  ]);
});
