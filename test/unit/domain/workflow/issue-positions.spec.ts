import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

/** The line and column (from 1) of the mark `@`, and the text without it. */
function marked(text: string): { text: string; at: string } {
  const lines = text.slice(0, text.indexOf('@')).split('\n');
  return { text: text.replace('@', ''), at: `${lines.length}:${(lines.at(-1) ?? '').length + 1}` };
}

const positions = (text: string) =>
  parseWorkflow(text).issues.map((issue) => `${issue.line}:${issue.column}`);

const around = (node: string): string => `rowbench: 1
id: sample
nodes:
  - { id: input, type: input }
  - id: work
    type: set
    values:
${node}
  - id: result
    type: output
    fields: { a: =nodes.work }
`;

describe('the position of an issue inside a string', () => {
  it.each([
    ['a plain scalar', '      x: =row.a + @wrong.b'],
    ['a plain scalar over lines', '      x: =row.a +\n        row.b\n\n        + @wrong.c'],
    ['a double-quoted scalar', '      x: "=row.a + @wrong.b"'],
    [
      'a double-quoted scalar with escapes',
      '      x: "\\x3Drow.a + \\"\\\\\\"\\" + `\\u00e9\\U0001F600\\t\\n\\_` + @wrong.b"',
    ],
    [
      'a double-quoted scalar over lines',
      '      x: "=row.a\n        + row.b \\\n        + \'\\  \' + @wrong.c"',
    ],
    ['a single-quoted scalar', `      x: '=row.a + "it''s" + ''''+ @wrong.b'`],
    ['a literal block', '      x: | # how\n        =row.a +\n\n          row.b +\n          @wrong.c'],
    ['a literal block with an indentation indicator', '      x: |2-\n        =row.a +\n        @wrong.c'],
    ['a folded block', '      x: >-\n        =row.a\n        + row.b\n\n          + @wrong.c'],
    ['a template', '      x: Hello {{ row.a }} and {{ @wrong.b }}'],
    ['a template in a block', '      x: |\n        Hello {{ row.a }}\n        and "{{ @wrong.b }}"'],
    ['a list in flow style', '      x: [1, { y: "{{ @wrong.b }}" }]'],
    ['a string with characters outside the first plane', '      x: "=\'😀😀\' + @wrong.b"'],
    ['a tab-separated value', '      x:\t"=@wrong.b"'],
  ])('is exact in %s', (_, node) => {
    const { text, at } = marked(around(node));
    expect(positions(text)).toEqual([at]);
    expect(positions(text.replaceAll('\n', '\r\n'))).toEqual([at]);
  });

  it('is behind the last character where something is missing', () => {
    const { text, at } = marked(around('      x: |\n        =row.a +@\n'));
    expect(positions(text)).toEqual([at]);
  });

  it('does not count a byte order mark', () => {
    expect(positions(`\ufeff"x"`)).toEqual(['1:1']);
  });

  it.each([
    [
      'on one line',
      '{"rowbench":1,"id":"x","nodes":[{"id":"i","type":"input"},{"id":"o","type":"output","fields":{"a":"=@wrong"}}]}',
    ],
    [
      'indented with tabs',
      '{\n\t"rowbench": 1,\n\t"id": "x",\n\t"nodes": [\n\t\t{ "id": "i", "type": "input" },\n\t\t{ "id": "o", "type": "output",\n\t\t\t"fields": { "a": "={ \\"b\\": \\n @wrong }" } }\n\t]\n}\n',
    ],
  ])('is exact in JSON %s', (_, json) => {
    const { text, at } = marked(json);
    expect(positions(text)).toEqual([at]);
  });
});

describe('the position of an issue of the file', () => {
  it.each([
    [
      'an unknown key, at the key',
      '      x: 1\n    @valeus: {}',
      'Unknown key "valeus" (did you mean "values"?)',
    ],
    ['a wrong kind of value, at the value', '      x: 1\n    timeout: @5', 'Expected text'],
    ['a bound, at the value', '      x: 1\n    retry: { attempts: @99 }', 'Expected at most 20'],
    ['a missing key, at what lacks it', '      x: 1\n    retry: @{ delay: 1s }', 'Missing key "attempts"'],
    ['a key that stands twice, at the second', '      x: 1\n      @x: 2', 'The key "x" appears here twice'],
    ['a glob', '      x: @*.csv', 'Text that begins with "*" needs quotes: x: "*.csv"'],
    ['a glob in a list', '      x: [a, @*.csv]', 'Text that begins with "*" needs quotes: "*.csv"'],
    [
      'a character of HTML',
      '      x: @&copy; 2026',
      'Text that begins with "&" needs quotes: x: "&copy; 2026"',
    ],
    ['a negation', '      x: @!row.done', 'Text that begins with "!" needs quotes: x: "!row.done"'],
    [
      'a negation and more',
      '      x: @!row.done && row.n > 1 # why',
      'Text that begins with "!" needs quotes: x: "!row.done && row.n > 1"',
    ],
    [
      'a negation in brackets',
      '      x: { a: 1, b: @!row.done, c: y }',
      'Text that begins with "!" needs quotes: b: "!row.done"',
    ],
    ['an alias', '      x: @*y', 'Aliases (*name) are not allowed here: write the value again'],
    ['an anchor', '      x: &y @5', 'Anchors (&name) are not allowed here'],
    ['a tag', '      x: !!str @5', 'Tags (!name) are not allowed here'],
    ['a merge key', '      @<<: {}', 'Merge keys (<<) are not allowed here: write the values out'],
    ['a number beyond all bounds', '      x: @1e999', 'Numbers must be finite'],
  ])('is that of %s', (_, node, message) => {
    const { text, at } = marked(around(node));
    const { issues } = parseWorkflow(text);
    expect(issues.map((issue) => [`${issue.line}:${issue.column}`, issue.message])).toEqual([[at, message]]);
  });
});
