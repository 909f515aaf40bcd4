import { describe } from 'vitest';
import type { JsonValue } from '../../../../../src-main/base/json-value.ts';
import { editText } from '../../../../../src-main/domain/authoring/edit/edit-text.ts';
import type { Path } from '../../../../../src-main/domain/authoring/edit/editable-file.ts';
import { runEditCases, type EditCase } from './run-edit-cases.ts';

/** Sets a value: the title, where, what, and the texts before and after. */
const set = (
  title: string,
  path: Path,
  value: JsonValue,
  ...[before, after, without = []]: readonly [string, string | RegExp, (readonly string[])?]
): EditCase => ({
  title,
  before,
  after,
  without,
  edit: (text) => editText(text, { kind: 'setValue', path, value }),
});

describe('a value that equals the old one writes nothing', () => {
  runEditCases([
    set('a hexadecimal number', ['a'], 31, 'a: 0x1F # hex\n', 'a: 0x1F # hex\n'),
    set('a text with escapes', ['a'], 'é', 'a: "\\u00e9"\n', 'a: "\\u00e9"\n'),
    set('a list', ['a'], [1, { b: 2 }], 'a: [ 1,{b: 2} ]\n', 'a: [ 1,{b: 2} ]\n'),
  ]);
});

describe('a simple value', () => {
  runEditCases([
    set(
      'replaces another and keeps columns and comment',
      ['a'],
      2,
      'a:   1   # one\nb: 2\n',
      'a:   2   # one\nb: 2\n',
    ),
    set('takes the room of an empty one', ['a'], 'x', 'a:\nb: 1\n', 'a: x\nb: 1\n'),
    set(
      'stands in front of the comment of an empty one',
      ['a'],
      'x',
      'a: # why\nb: 1\n',
      'a: x # why\nb: 1\n',
    ),
    set('fills an empty item', [1], 'x', '- a\n-\n- c\n', '- a\n- x\n- c\n'),
    set('replaces a number by a text that looks like one', ['a'], '12', 'a: 11\n', 'a: "12"\n'),
    set('takes the quotes that the file has more of', ['a'], '12', "a: 11\nb: 'x'\n", "a: '12'\nb: 'x'\n"),
    set('stays inside of braces', ['a', 'b'], 'x, }', 'a: {b: 1,c: 2}\n', 'a: {b: "x, }",c: 2}\n'),
    set('becomes nothing', ['a'], null, 'a: 1 # one\n', 'a: null # one\n'),
    set('fills a key in braces', ['a', 'c'], 1, 'a: {b: 2, c}\n', 'a: {b: 2, c: 1}\n'),
    set('stays on a line of its own', ['a'], 5, 'a:\n  4 # four\nb: 1\n', 'a:\n  5 # four\nb: 1\n'),
    set('behind an explicit key', ['k'], 2, '? k\n: 1\n', '? k\n: 2\n'),
    set('in JSON', ['a'], 'x\ny', '{"a":1,\n "b":2}\n', '{"a":"x\\ny",\n "b":2}\n'),
  ]);
});

describe('a text keeps its way of writing', () => {
  runEditCases([
    set('plain', ['a'], 'new one', 'a: old one\n', 'a: new one\n'),
    set(
      'plain over lines, where only a word changes',
      ['a'],
      'one 2 three',
      'a: one\n  two\n  three\n',
      'a: one\n  2\n  three\n',
    ),
    set('single quotes', ['a'], "it's", "a: 'its'\n", "a: 'it''s'\n"),
    set('double quotes and the escapes in them', ['a'], 'é x', 'a: "\\u00e9"\n', 'a: "\\u00e9 x"\n'),
    set('double quotes of a text that needs none', ['a'], 'b', 'a: "a"\n', 'a: "b"\n'),
    set(
      'a block and its comment',
      ['a'],
      'one\n2\n',
      'a: | # code\n   one\n   two\nb: 1\n',
      'a: | # code\n   one\n   2\nb: 1\n',
      ['without its last line break'],
    ),
    set(
      'a block that gets a line',
      ['a'],
      'one\nnew\ntwo\n',
      'a: |\n  one\n  two\nb: 1\n',
      'a: |\n  one\n  new\n  two\nb: 1\n',
    ),
    set(
      'a block that gets a last line',
      ['a'],
      'one\ntwo\n',
      'a: |\n  one\nb: 1\n',
      'a: |\n  one\n  two\nb: 1\n',
    ),
    set(
      'a block that loses a line',
      ['a'],
      'two\n',
      'a: |\n    one\n    two\n\nb: 1\n',
      'a: |\n    two\n\nb: 1\n',
    ),
    set('a block whose last line break goes', ['a'], 'one', 'a: |\n  one\nb: 1\n', 'a: |-\n  one\nb: 1\n'),
    set(
      'a block with an empty line',
      ['a'],
      'a\n\nb',
      'a: |-\n  a\n  b\nc: 1\n',
      'a: |-\n  a\n\n  b\nc: 1\n',
    ),
    set(
      'a folded block, whose lines stay',
      ['a'],
      'one two 3\n',
      'a: >\n  one\n  two\n  three\nb: 1\n',
      'a: >\n  one\n  two\n  3\nb: 1\n',
    ),
    set(
      'a folded block that gets a line break',
      ['a'],
      'one\ntwo\n',
      'a: >\n  one two\nb: 1\n',
      'a: >\n  one\n\n  two\nb: 1\n',
    ),
    set('until it cannot: a comment in it', ['a'], 'x #y', 'a: x y\n', 'a: "x #y"\n'),
    set(
      'until it cannot: a line break in a plain text',
      ['a'],
      'x\ny\n',
      'a: x\nb: 1\n',
      'a: |\n  x\n  y\nb: 1\n',
    ),
    set('until it cannot: a line break in single quotes', ['a'], 'x\ny', "a: 'x'\n", 'a: "x\\ny"\n'),
    set(
      'until it cannot: a first line that is indented',
      ['a'],
      ' x\ny\n',
      'a: |\n  z\nb: 1\n',
      'a: " x\\ny\\n"\nb: 1\n',
    ),
  ]);
});

describe('a list or object', () => {
  runEditCases([
    set(
      'changes only where it differs',
      ['a'],
      { b: 1, c: 3 },
      'a:\n  b: 1 # one\n  c: 2 # two\n',
      'a:\n  b: 1 # one\n  c: 3 # two\n',
    ),
    set(
      'gets and loses keys in their order',
      ['a'],
      { b: 1, x: 0, d: 4 },
      'a:\n  b: 1\n  # c\n  c: 2\n  d: 4 # four\n',
      'a:\n  b: 1\n  x: 0\n  d: 4 # four\n',
    ),
    set('gets items', ['a'], [1, 2, 3], 'a:\n- 1 # one\n', 'a:\n- 1 # one\n- 2\n- 3\n'),
    set('loses items', ['a'], [2], 'a: [ 1, 2 ] # x\n', 'a: [ 2 ] # x\n'),
    set(
      'takes the lines of a simple value',
      ['a'],
      { b: 1, c: [1, 2] },
      'a: x # why\nd: 1\n',
      'a: # why\n  b: 1\n  c: [1, 2]\nd: 1\n',
    ),
    set(
      'gives way to a simple value',
      ['a'],
      1,
      'a: # why\n  b: 1\n  # c\n  c: 2\nd: 1\n',
      'a: 1 # why\nd: 1\n',
    ),
    set('gives way to a simple value in an item', [0], 1, '- b: 1\n  c: 2\n- x\n', '- 1\n- x\n'),
    set('becomes a list', ['a'], [{ x: 1 }], 'a:\n    b:\n        c: 1\n', 'a:\n    - { x: 1 }\n'),
    set(
      'in JSON over lines',
      ['a'],
      { b: [1] },
      '{\n  "a": 1\n}\n',
      '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n',
    ),
    set('in JSON in one line', ['a'], { b: [1, 2] }, '{"a": 1, "c": 2}\n', '{"a": {"b": [1, 2]}, "c": 2}\n'),
  ]);
});

describe('a text of lines for a list with a comment behind it', () => {
  runEditCases([
    set(
      'takes quotes, because a block would take the comment in',
      ['a', 'b'],
      'x\ny\n',
      'a:\n  b:\n    - 1\n    # - 2\n  c: 1\n',
      'a:\n  b: "x\\ny\\n"\n    # - 2\n  c: 1\n',
    ),
  ]);
});

describe('an edit is refused', () => {
  const bad = 'a: [1\nb: 2\n';
  runEditCases([
    set('in a text that does not parse', ['b'], 3, bad, /mistake here/),
    set('below a key that appears twice', ['a', 'b'], 3, 'a: { b: 1 }\na: { b: 2 }\n', /appears here twice/),
    set('behind an alias', ['b', 'c'], 3, 'a: &x { c: 1 }\nb: *x\n', /alias/),
    set('on a value with an anchor', ['a'], 3, 'a: &x 1\nb: *x\n', /anchor/),
    set('on a value with a tag', ['a'], 3, 'a: !!str 1\n', /tag/),
    set('in a file of two documents', ['a'], 3, 'a: 1\n---\nb: 2\n', /second document/),
    set('where nothing is', ['a', 'c'], 3, 'a: { b: 1 }\n', /no a\.c/),
    set('where a text has no keys', ['a', 0], 3, 'a: x\n', /no a\[0\]/),
  ]);
});

describe('mistakes elsewhere do not matter', () => {
  runEditCases([
    set('a doubled key', ['b'], 3, 'a: 1\na: 2\nb: 2\n', 'a: 1\na: 2\nb: 3\n'),
    set('an anchor and its alias', ['c'], 3, 'a: &x [1]\nb: *x\nc: 2\n', 'a: &x [1]\nb: *x\nc: 3\n'),
    set('an infinite number', ['c'], 3, 'a: .inf\nc: 2\n', 'a: .inf\nc: 3\n'),
  ]);
});
