// The commonest mistakes in a workflow file: the message names the fix, at the line where the author must apply it.
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

/** `line:column message` for a file whose output node has this text as its fields, which begin in line 8. */
const issuesIn = (fields: string): string[] =>
  parseWorkflow(`rowbench: 1
id: sample
nodes:
  - { id: in, type: input }
  - id: out
    type: output
    fields:
${fields}
`).issues.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('text that needs quotes is named with the line as it should be', () => {
  it.each([
    ['      a: {{ row.x }}', '8:10 Text with {{ }} needs quotes: a: "{{ row.x }}"'],
    ['      a: Note: {{ row.x }}', '8:10 Text with {{ }} needs quotes: a: "Note: {{ row.x }}"'],
    ['      a: {{ row.x }} and more # why', '8:10 Text with {{ }} needs quotes: a: "{{ row.x }} and more"'],
    ['      a: {{ row["x"] }}', `8:10 Text with {{ }} needs quotes: a: '{{ row["x"] }}'`],
    [`      a: {{ row["x"] + 'y' }}`, `8:10 Text with {{ }} needs quotes: a: "{{ row[\\"x\\"] + 'y' }}"`],
    ['      a: {{ row.x', '8:10 Text with {{ }} needs quotes: a: "{{ row.x"'],
    ['      a: [{{ row.x }}, 1]', '8:11 Text with {{ }} needs quotes: "{{ row.x }}"'],
    ['      a: { b: Hello {{ row.x }} }', '8:15 Text with {{ }} needs quotes: b: "Hello {{ row.x }}"'],
    [
      '      a: { url: https://x.example/{{ row.x }}/y, method: GET }',
      '8:17 Text with {{ }} needs quotes: url: "https://x.example/{{ row.x }}/y"',
    ],
    [
      '      a: {\n        b: Hello {{ row.x }},\n      }',
      '9:12 Text with {{ }} needs quotes: b: "Hello {{ row.x }}"',
    ],
    [
      '      a: [1, {{ row.x }} and {{ row.y }}]',
      '8:14 Text with {{ }} needs quotes: "{{ row.x }} and {{ row.y }}"',
    ],
    ['      a: {"b":{{ row.x }}}', `8:15 Text with {{ }} needs quotes: "b": "{{ row.x }}"`],
    ['      a:\n        - {{ row.x }}', '9:11 Text with {{ }} needs quotes: "{{ row.x }}"'],
    ['      a: Leads: score', '8:10 Text with ": " needs quotes: a: "Leads: score"'],
    ['      a: =row.a ? "x: y" : 1', `8:10 Text with ": " needs quotes: a: '=row.a ? "x: y" : 1'`],
    ['      a: @me', '8:10 Text that begins with "@" needs quotes: a: "@me"'],
    ['      a: * all', '8:10 Text that begins with "*" needs quotes: a: "* all"'],
    ['      a: *', '8:10 Text that begins with "*" needs quotes: a: "*"'],
    [`      a: {{ ${'x'.repeat(200)} }}`, '8:10 Text with {{ }} needs quotes around all of it'],
  ])('%s', (fields, issue) => {
    expect(issuesIn(`${fields}\n  - id: last\n    type: output\n    fields:\n      b: 1`)).toEqual([issue]);
  });

  it('a wrong escape in each of two lines is named twice', () => {
    expect(issuesIn('      a: "\\d"\n      b: "\\d\\d"')).toEqual([
      '8:11 Invalid escape sequence \\d',
      '9:11 Invalid escape sequence \\d',
    ]);
  });

  it('a mistake in each of two lines is named twice', () => {
    expect(issuesIn('      a: {{ row.x }}\n      b: {{ row.y }}')).toEqual([
      '8:10 Text with {{ }} needs quotes: a: "{{ row.x }}"',
      '9:10 Text with {{ }} needs quotes: b: "{{ row.y }}"',
    ]);
  });
});

describe('a bracket or a quote that is never closed is reported once, at its opening', () => {
  it.each([
    ['      a: { b: 1\n      c: 2', '8:10 This { is never closed'],
    ['      a: [1, { b: 1 ]', '8:14 This { is never closed'],
    ['      a: [1, 2\n      c: 2', '8:10 This [ is never closed'],
    ['      a: "open\n      b: 1', '8:10 This " is never closed'],
    ["      a: 'open\n      b: 1", "8:10 This ' is never closed"],
    ['      a: "={ b: 1 "', '8:12 This "{" is never closed with "}"'],
    ['      a: =foo(row.x', '8:14 This "(" is never closed with ")"'],
    ['      a: "{{ (row.x }}"', '8:14 This "(" is never closed with ")"'],
    ['      a: "={ b: (row.x }"', '8:17 This "(" is never closed with ")"'],
    ['      a: "{{ row.x"', '8:11 The {{ of this placeholder is never closed with }}'],
  ])('%s', (fields, issue) => {
    expect(issuesIn(fields)).toEqual([issue]);
  });

  it('errors before it are reported too', () => {
    expect(issuesIn('      a: Leads: score\n      b: "open')).toEqual([
      '8:10 Text with ": " needs quotes: a: "Leads: score"',
      '9:10 This " is never closed',
    ]);
  });
});

describe('what the grammar calls unexpected is explained in words, once', () => {
  const ended = (quote: string, other: string): string =>
    `The ${quote} before this ends the quoted text. If it belongs to the text, put ${other} around the whole text instead; if not, move this inside the quotes`;
  const indentation = 'Check the indentation of this line:';
  const columns = 'keys or list items that belong together start in the same column';

  it.each([
    ['      a: "Hello {{ row["x"] }}"', `8:25 ${ended('"', "'")}`],
    ["      a: 'It's {{ row.x }}'", `8:14 ${ended("'", '"')}`],
    ['      a: "Hello {{ row.x }}" there', `8:30 ${ended('"', "'")}`],
    ['      a: { b: "Hello {{ row["x"] }}", c: 1 }', `8:30 ${ended('"', "'")}`],
    ['      a: { b: =row.x ? 1 : 2 }', '8:15 This expression needs quotes inside { } and [ ]'],
    ['      a: { b: =1, c: =[row.x, row.y] }', '8:22 This expression needs quotes inside { } and [ ]'],
    ['      a: {\n        b: =row.x[0],\n      }', '9:12 This expression needs quotes inside { } and [ ]'],
    [
      '      a: |\n      const x = 1;\n      return { x };',
      `9:7 ${indentation} indent this text further than "a: |"`,
    ],
    ['      a: 1\n     b: 2\n      c: 3', `9:6 ${indentation} ${columns}`],
    ['      a: 1\n       b: 2\n      c: 3', `9:8 ${indentation} ${columns}`],
    ['      a: 1\n      b:2\n      c: 3', '9:7 Put a space after the colon: b: 2'],
    ['  - id: x\n   type: output\n    fields:\n      a: 1', `9:4 ${indentation} ${columns}`],
  ])('%s', (fields, issue) => {
    expect(issuesIn(fields)).toEqual([issue]);
  });
});

describe('a slip of the pen in a whole file is one issue, at the line to fix', () => {
  const file = `rowbench: 1
id: enrich
nodes:
  - id: in
    type: input
    fields:
      name: { type: string, required: true }
      email: { type: string }
  - id: crm
    type: http
    request:
      url: "https://crm.example/x"
      headers: { a: "b", c: "d" }
  - id: out
    type: output
    fields:
      name: =row.name
      mail: "{{ row.email }}"
`;
  const indentation =
    'Check the indentation of this line: keys or list items that belong together start in the same column';
  const tab = 'Indent this line with spaces: YAML does not allow tabs';

  it.each([
    ['required: true }', 'required: true', '7:13 This { is never closed'],
    ['{ type: string }', '{ type: string', '8:14 This { is never closed'],
    ['{ type: string }', '[string', '8:14 This [ is never closed'],
    ['c: "d" }', 'c: "d"', '13:16 This { is never closed'],
    ['"b", c', '"b, c', '13:21 This " is never closed'],
    ['crm.example/x"', 'crm.example/x', '12:12 This " is never closed'],
    ['"https://crm.example/x"', "'https://crm.example/x", "12:12 This ' is never closed"],
    ['email }}"', 'email }}', '18:13 This " is never closed'],
    [
      '{ type: string }',
      '{ type: string }}',
      '8:30 This } closes nothing: remove it, or add the { that it closes',
    ],
    ['{ type: string }', 'type: string }', '8:7 Put a { before this: email: { type: string }'],
    ['string, required', 'string required', '7:21 Put a comma between the entries inside { } and [ ]'],
    ['    type: http', '\ttype: http', `10:1 ${tab}`],
    ['    type: http', '  \ttype: http', `10:3 ${tab}`],
    ['      email:', '\t\temail:', `8:1 ${tab}`],
    ['type: http', 'type:http', '10:5 Put a space after the colon: type: http'],
    ['- id: crm', '- id:crm', '9:5 Put a space after the colon: id: crm'],
    ['- id: crm', '-id: crm', '9:3 Put a space after the dash: - id: crm'],
    [
      '{ type: string }',
      '{ type:string }',
      '8:16 Unknown key "type:string": put a space after the colon (type: string)',
    ],
    ['nodes:', 'nodes', '3:1 Put a colon after this key: nodes:'],
    ['type: http', 'type http', '10:5 Put a colon after "type": type: http'],
    ['headers: {', 'headers {', '13:7 Put a colon after "headers": headers: { a: "b", c: "d" }'],
    ['    type: http', '   type: http', `10:4 ${indentation}`],
    ['    type: http', '     type: http', `10:6 ${indentation}`],
    ['  - id: crm', ' - id: crm', `9:2 ${indentation}`],
    ['  - id: crm', '    - id: crm', `9:5 ${indentation}`],
    ['    request:', '    type: http\n    request:', '11:5 The key "type" appears here twice'],
    ['{ type: string }', '{ type: string, type: number }', '8:30 The key "type" appears here twice'],
  ])('%j written as %j', (right, slip, issue) => {
    const { issues } = parseWorkflow(file.replace(right, slip));
    expect(issues.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([issue]);
  });

  it('the file without a slip has no issues', () => {
    expect(parseWorkflow(file).issues).toEqual([]);
  });
});
