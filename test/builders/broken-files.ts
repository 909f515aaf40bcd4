// Workflow files, each with a mistake, and the fixes that are offered for it.
export type BrokenFile = {
  readonly title: string;
  readonly text: string;
  /** Titles of the fixes. */
  readonly fixes: readonly string[];
  /** A part of the text after the first fix. */
  readonly after?: string;
};

const flow = (nodes: string, end = '  - { id: result, type: output, fields: { a: =nodes.one } }'): string =>
  `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, fields: { email: {} } }
${nodes}
${end}
`;

export const brokenFiles: readonly BrokenFile[] = [
  {
    title: 'correct a key of the file',
    text: flow('  - { id: one, type: set, values: {} }').replace('rowbench: 1', 'rowbench: 1\nnmae: Leads'),
    fixes: ['Change to "name"', 'Remove "nmae"'],
    after: '\nname: Leads\n',
  },
  {
    title: 'correct a key of a node',
    text: flow('  - id: one\n    type: set # a comment\n    valeus: { a: 1 }'),
    fixes: ['Add values', 'Change to "values"', 'Remove "valeus"'],
  },
  {
    title: 'correct an optional key of a node',
    text: flow('  - id: one\n    type: set # a comment\n    wehn: row.email\n    values: { a: 1 }'),
    fixes: ['Change to "when"', 'Remove "wehn"'],
    after: '# a comment\n    when: row.email\n',
  },
  {
    title: 'leave the header of a bearer token out',
    text: flow(
      '  - id: one\n    type: http\n    request: { url: https://x.example }\n    auth: { secret: KEY, header: Authorization } # ours',
    ),
    fixes: ['Leave "header" out for a bearer token'],
    after: 'auth: { secret: KEY } # ours',
  },
  {
    title: 'remove a key that nothing is like',
    text: flow('  - id: one\n    type: set\n    colour: red\n    values: { a: 1 }'),
    fixes: ['Remove "colour"'],
    after: 'type: set\n    values',
  },
  {
    title: 'correct the type of a node',
    text: flow('  - { id: one, type: seet, values: { a: 1 } }'),
    fixes: ['Change to "set"'],
    after: 'type: set,',
  },
  {
    title: 'correct a node in an expression',
    text: flow(
      '  - { id: one, type: set, values: { a: 1 } }',
      '  - { id: result, type: output, fields: { a: "=nodes.oen.a" } }',
    ),
    fixes: ['Change to "one"'],
    after: '"=nodes.one.a"',
  },
  {
    title: 'correct a variable',
    text: flow("  - { id: one, type: set, values: { a: '{{ vars.bse }}' } }").replace(
      'nodes:',
      'vars: { base: 1 }\nnodes:',
    ),
    fixes: ['Change to "base"', 'Add the variable "bse"'],
    after: "'{{ vars.base }}'",
  },
  {
    title: 'declare a variable',
    text: flow('  - { id: one, type: set, values: { a: =vars.base } }'),
    fixes: ['Add the variable "base"'],
    after: 'vars:\n  base: null\nnodes:',
  },
  {
    title: 'correct a node in a template, in brackets',
    text: flow(
      '  - { id: one, type: set, values: { a: 1 } }',
      "  - id: result\n    type: output\n    fields:\n      a: It is {{ nodes['oen'].a }}",
    ),
    fixes: ['Change to "one"'],
    after: "It is {{ nodes['one'].a }}",
  },
  {
    title: 'correct a name in code',
    text: flow('  - id: one\n    type: code\n    code: |\n      // Sums up.\n      return Maht.max(1, 2);'),
    fixes: ['Change to "Math"'],
    after: '      return Math.max(1, 2);',
  },
  {
    title: 'read a field from the row',
    text: flow('  - { id: one, type: set, values: { a: =email } }'),
    fixes: ['Change to "row.email"'],
    after: 'a: =row.email',
  },
  {
    title: 'read a node by nodes',
    text: flow(
      '  - { id: one, type: set, values: { a: 1 } }',
      '  - { id: result, type: output, fields: { a: =one.a } }',
    ),
    fixes: ['Change to "nodes.one"'],
    after: 'a: =nodes.one.a',
  },
  {
    title: 'correct a node in after, alone and in a list',
    text: flow(
      '  - { id: one, type: set, values: { a: 1 } }\n  - { id: two, type: fail, message: x, when: "false", after: oen }',
    ),
    fixes: ['Change to "one"'],
    after: 'after: one',
  },
  {
    title: 'correct a choice',
    text: flow('  - { id: one, type: set, values: {} }').replace('nodes:', 'onRowError: skpi\nnodes:'),
    fixes: ['Change to "skip"'],
    after: 'onRowError: skip\n',
  },
  {
    title: 'add the version of the format',
    text: flow('  - { id: one, type: set, values: {} }').replace('rowbench: 1\n', ''),
    fixes: ['Add rowbench: 1'],
    after: 'rowbench: 1\nid: leads',
  },
  {
    title: 'add the id of the workflow',
    text: flow('  - { id: one, type: set, values: {} }').replace('id: leads\n', ''),
    fixes: ['Add id: leads'],
  },
  {
    title: 'add the id of a node',
    text: flow('  - { id: one, type: set, values: {} }\n  - type: fail\n    message: No'),
    fixes: ['Add id: fail'],
    after: '  - id: fail\n    type: fail\n',
  },
  {
    title: 'add the type of a node by its keys',
    text: flow('  - id: one\n    code: return 1;'),
    fixes: ['Add type: code'],
    after: '  - id: one\n    type: code\n    code:',
  },
  {
    title: 'add a key that a type needs',
    text: flow('  - id: one\n    type: http\n    request: { method: GET }'),
    fixes: ['Add url: https://api.example.com/companies'],
    after: '{ method: GET, url: https://api.example.com/companies }',
  },
  {
    title: 'add values that a type needs',
    text: flow('  - id: one\n    type: code\n'),
    fixes: ['Add code: let sum = 0;'],
  },
  {
    title: 'add a workflow to call',
    text: flow('  - { id: one, type: workflow, row: { street: =row.email } }'),
    fixes: ['Add workflow: check-address'],
  },
  {
    title: 'add an output node',
    text: 'rowbench: 1\nid: leads\nnodes:\n  - id: input\n    type: input\n',
    fixes: ['Add an output node'],
  },
  {
    title: 'add an input node',
    text: 'rowbench: 1\nid: leads\nnodes:\n  - { id: result, type: output, fields: {} }\n',
    fixes: ['Add an input node'],
    after: 'nodes:\n  - { id: input, type: input }\n',
  },
  {
    title: 'read or delete an unread node',
    text: flow(
      '  - { id: one, type: set, values: { a: 1 } }',
      '  - { id: result, type: output, fields: { a: =row.email } }',
    ),
    fixes: ['Add nodes.one to the output', 'Delete the node "one"'],
    after: '{ a: =row.email, one: =nodes.one }',
  },
  {
    title: 'write an object of the output as text',
    text: flow(
      '  - { id: one, type: set, values: { a: 1 } }',
      '  - id: result\n    type: output\n    fields:\n      a: { x: =nodes.one.a, y: "Is {{ row.email }}" }',
    ),
    fixes: ['Write it as text'],
    after: 'JSON.stringify({"x":nodes.one.a,"y":`Is ${row.email}`})',
  },
  {
    title: 'write a truth value of the output as text',
    text: flow('  - { id: one, type: set, values: {} }').replace(
      '{ a: =nodes.one }',
      '{ a: =nodes.one, b: true }',
    ),
    fixes: ['Write it as text'],
    after: 'b: "true"',
  },
  {
    title: 'remove an output field without a value',
    text: flow('  - { id: one, type: set, values: {} }').replace(
      '{ a: =nodes.one }',
      '{ a: =nodes.one, b: null }',
    ),
    fixes: ['Remove this field'],
  },
  {
    title: 'rename the second of two nodes with one id',
    text: flow('  - { id: one, type: set, values: {} }\n  - { id: one, type: fail, message: x }'),
    fixes: ['Change to "one2"'],
  },
  {
    title: 'fix JSON as JSON',
    text: '{\n  "rowbench": 1,\n  "id": "leads",\n  "nodes": [\n    { "id": "input", "type": "inptu" },\n    { "id": "r", "type": "output", "fields": { "a": "=row.a" } }\n  ]\n}\n',
    fixes: ['Add an input node', 'Change to "input"'],
    after: '[\n    { "id": "input2", "type": "input" },',
  },
  {
    title: 'put quotes around digits that a number loses',
    text: flow('  - { id: one, type: set, values: { a: 812345678901234567 } } # a comment'),
    fixes: ['Put quotes around it'],
    after: 'values: { a: "812345678901234567" } } # a comment',
  },
];
