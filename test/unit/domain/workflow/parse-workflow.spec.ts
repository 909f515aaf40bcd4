import { describe, expect, it } from 'vitest';
import { nodeTypeNames } from '../../../../src-main/domain/nodes/catalogue.ts';
import { writtenFields } from '../../../../src-main/domain/nodes/fields.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const issuesOf = (text: string) =>
  parseWorkflow(text).issues.map(
    ({ line, severity, message }) => `${line} ${severity === 'warning' ? '(warning) ' : ''}${message}`,
  );

const nodeOf = (text: string) => {
  const { workflow, issues } = parseWorkflow(workflowText(text, '{ done: =nodes.work }'));
  expect(issues).toEqual([]);
  return workflow?.nodes[1];
};

describe('a workflow', () => {
  it('takes its name from its id and its settings from their defaults', () => {
    expect(parseWorkflow(workflowText(''))).toMatchObject({
      workflow: {
        id: 'sample',
        name: 'sample',
        concurrency: 16,
        onRowError: 'fail',
        nodes: [
          { id: 'input', line: 4 },
          { id: 'result', line: 6 },
        ],
      },
      id: 'sample',
      issues: [],
    });
  });

  it('reads the same from JSON as from YAML', () => {
    const yaml = workflowText(
      '  - { id: work, type: set, values: { a: "=row.a" } }',
      '{ a: "=nodes.work.a" }',
    );
    const json = {
      $schema: 'https://example.com/workflow.schema.json',
      rowbench: 1,
      id: 'sample',
      nodes: [
        { id: 'input', type: 'input' },
        { id: 'work', type: 'set', values: { a: '=row.a' } },
        { id: 'result', type: 'output', fields: { a: '=nodes.work.a' } },
      ],
    };
    const withoutLines = (text: string) =>
      parseWorkflow(text).workflow?.nodes.map((node) => ({ ...node, line: 0 }));
    expect(withoutLines(JSON.stringify(json, null, '\t'))).toEqual(withoutLines(yaml));
  });

  it('keeps what every node may have', () => {
    const node = nodeOf(`
  - id: work
    type: code
    when: row.a > 1
    each: =row.list
    retry: { attempts: 3, delay: 400ms, backoff: 2 }
    timeout: 1.5m
    onError: { value: { was: "{{ row.a }}" } }
    after: input
    mock: { usual: { a: 1 } }
    code: return item + index;`);
    expect(node).toMatchObject({
      id: 'work',
      type: 'code',
      line: 6,
      when: { kind: 'expression', source: 'row.a > 1' },
      each: { kind: 'expression', source: 'row.list' },
      retry: { attempts: 3, delayMs: 400, backoff: 2 },
      timeoutMs: 90_000,
      onError: { value: { kind: 'object' } },
      after: ['input'],
      mock: [['usual', [{ value: { a: 1 } }]]],
      config: { code: { kind: 'body', source: 'return item + index;' } },
    });
  });

  it('leaves out what a node does not say', () => {
    expect(
      nodeOf('  - { id: work, type: delay, for: 1h, onError: fail, when: true, retry: { attempts: 2 } }'),
    ).toEqual({
      id: 'work',
      type: 'delay',
      line: 6,
      when: {
        kind: 'expression',
        source: 'true',
        safeSource: 'true',
        nodeRefs: [],
        rowReads: [],
        isAsync: false,
        makesPromises: false,
      },
      retry: { attempts: 2, delayMs: 1000, backoff: 1 },
      after: [],
      config: { for: { kind: 'literal', value: 3_600_000 } },
    });
  });

  it('keeps __proto__ as a name of data', () => {
    const { workflow } = parseWorkflow(
      workflowText('', '{ __proto__: "=row.a", constructor: [{ __proto__: 1 }] }'),
    );
    const output = workflow?.nodes[1];
    expect(output?.type === 'output' && writtenFields(output.config.fields).map(([name]) => name)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(JSON.stringify(output)).toContain('{"kind":"literal","value":[{"__proto__":1}]}');
  });
});

describe('a file', () => {
  it.each([
    ['', ['1 The file is empty']],
    ['# only a comment\n', ['1 The file is empty']],
    ['- 1', ['1 Expected a workflow: names with values']],
    ['rowbench: 2\nid: x\nfuture: true', ['1 The file has format version 2: a newer Rowbench is needed']],
    ['id: x', ['1 Missing key "rowbench"', '1 Missing key "nodes"']],
    [
      'rowbench: one\nid: a b\nnodes: []',
      [
        '1 Expected 1',
        '2 A workflow id is 1 to 64 letters, digits, "_" and "-"',
        '3 Expected at least 1 entry',
      ],
    ],
    ['rowbench: 1\nid: x\nnodes: {}', ['3 Expected a list']],
    [
      '%YAML 1.1\n---\nrowbench: 2',
      [
        '1 YAML directives are not allowed here',
        '3 The file has format version 2: a newer Rowbench is needed',
      ],
    ],
    [
      'rowbench: 2\n---\nrowbench: 2',
      [
        '1 The file has format version 2: a newer Rowbench is needed',
        '2 Only one document in a file: remove the line "---"',
      ],
    ],
    ['a: [1', ['1 This [ is never closed']],
    [`id: ${'x'.repeat(1_000_000)}`, ['1 The file is larger than 1 MB']],
    ['['.repeat(100_000), ['1 Nested deeper than 100 levels']],
    ['a: '.repeat(100_000), ['1 Nested deeper than 100 levels']],
    ['- '.repeat(100_000), ['1 Nested deeper than 100 levels']],
    ['{"a":'.repeat(100_000), ['1 Nested deeper than 100 levels']],
  ])('is refused with a reason: case %#', (text, issues) => {
    expect(issuesOf(text)).toEqual(issues);
  });

  it('holds at most a thousand nodes', () => {
    const nodes = Array.from(
      { length: 999 },
      (_, index) => `  - { id: n${index}, type: delay, for: 1s }`,
    ).join('\n');
    expect(issuesOf(workflowText(nodes))).toEqual(['4 Expected at most 1000 entries']);
    expect(issuesOf(workflowText(nodes.slice(0, nodes.lastIndexOf('\n'))))).toEqual([]);
  });

  it('is at most a hundred levels deep', () => {
    const nested = (levels: number) => workflowText('', `{ a: ${'['.repeat(levels)}${']'.repeat(levels)} }`);
    expect(issuesOf(nested(90))).toEqual([]);
    expect(issuesOf(nested(100))).toEqual(['8 Nested deeper than 100 levels']);
  });

  it('shows all that is wrong with it at once, in order', () => {
    const text = `rowbench: 1
id: broken
concurency: 4
nodes:
  - id: input
    type: input
    each: row.list
  - id: work
    type: sett
  - id: work
    type: set
    after: [nowhere]
    values: { a: "=rwo.b", b: "{{ nodes.missing }}" }
  - id: check
    type: assert
    that: row.a >
    timeout: 2h
`;
    expect(issuesOf(text)).toEqual([
      '3 Unknown key "concurency" (did you mean "concurrency"?)',
      '4 The workflow has no node of type output',
      '7 Unknown key "each"',
      `9 Unknown node type "sett" (did you mean "set"?); known types: ${nodeTypeNames.join(', ')}`,
      '10 The id "work" is already taken by the node in line 8',
      '12 There is no node "nowhere"',
      '13 Unknown name "rwo"; did you mean "row"?',
      '13 There is no node "missing"',
      '14 Missing key "message"',
      '16 The code ends too early, something is missing',
      '17 Expected a duration above 0 and up to 1h',
    ]);
  });

  it('names the node that an issue concerns', () => {
    const { issues, workflow } = parseWorkflow(
      workflowText('  - { id: work, type: set, values: { a: =b } }'),
    );
    expect(issues).toMatchObject([{ nodeId: 'work', severity: 'error' }]);
    expect(workflow).toBeUndefined();
  });

  it('shows its id even when it does not parse', () => {
    expect(parseWorkflow('id: known').id).toBe('known');
    expect(parseWorkflow('id: not an id').id).toBeUndefined();
  });
});

describe('the nodes of a workflow', () => {
  it.each([
    ['  - 5', '6 Expected a node: names with values'],
    ['  - { id: a }', '6 Missing key "type"'],
    ['  - { id: a, type: [] }', '6 Expected text'],
    [
      '  - { id: a, type: toString }',
      `6 Unknown node type "toString"; known types: ${nodeTypeNames.join(', ')}`,
    ],
    [
      '  - { id: 1a, type: delay, for: 1s }',
      '6 A node id is a letter or "_", then letters, digits and "_", 64 in all at most',
    ],
    ['  - { id: __proto__, type: delay, for: 1s }', '6 This name cannot be a node id'],
    ['  - { id: a, type: delay, for: 1s, __proto__: 1 }', '6 Unknown key "__proto__"'],
    [
      '  - { id: a, type: delay, for: soon }',
      '6 Expected a duration such as 400ms, 2s, 1m or 1h, or an =expression in milliseconds',
    ],
    ['  - { id: a, type: delay, for: 25h }', '6 Expected at most 24h'],
    ['  - { id: a, type: delay, for: 5 }', '6 Expected text'],
    ['  - { id: a, type: delay, for: 1s, timeout: 0ms }', '6 Expected a duration above 0 and up to 1h'],
    ['  - { id: a, type: delay, for: 1s, when: 5 }', '6 Expected an expression'],
    [
      '  - { id: a, type: delay, for: 1s, when: item > 1, each: row.list }',
      '6 "item" exists only in a node with "each"',
    ],
    ['  - { id: a, type: delay, for: 1s, onError: go }', '6 Expected another kind of value here'],
    [
      '  - { id: a, type: delay, for: 1s, onError: { value: "=wrong" } }',
      '6 Unknown name "wrong"; fields of the row are row.<field>',
    ],
    ['  - { id: a, type: delay, for: 1s, mock: 5 }', '6 Expected names with canned answers'],
    ['  - { id: a, type: delay, for: 1s, retry: { attempts: 1.5 } }', '6 Expected a whole number'],
    [
      '  - { id: a, type: set, values: [] }',
      '6 Expected names with values, or an =expression that gives an object',
    ],
    ['  - { id: a, type: set }', '6 Missing key "values"'],
    ['  - { id: a, type: switch, cases: [] }', '6 Expected at least 1 entry'],
    [
      '  - { id: a, type: switch, cases: [{ when: true, vlaue: 1, value: 2 }] }',
      '6 Unknown key "vlaue" (did you mean "value"?)',
    ],
    ['  - { id: a, type: switch, cases: [{ when: true }] }', '6 Missing key "value"'],
    [
      '  - { id: a, type: code, code: "return nodes;" }',
      '6 "nodes" cannot be used as a whole: write nodes.<id>, because the order of the nodes is found from these',
    ],
    ['  - { id: a, type: fail, message: no, rows: [0] }', '6 Expected at least 1'],
    ['  - { id: a, type: fail, message: no, chance: 2 }', '6 Expected at most 1'],
    ['  - { id: a, type: input }', '6 A workflow has one input node, and there is one in line 4 already'],
    [
      '  - { id: a, type: output, fields: { done: 1 } }',
      '9 The output field "done" is already given by the node "a"',
    ],
    [
      '  - { id: a, type: output, fields: "=row" }',
      '6 "a" gives its fields by an expression: it must be the only output node',
    ],
    ['  - { id: a, type: set, values: "=rwo" }', '6 Unknown name "rwo"; did you mean "row"?'],
    [
      '  - { id: a, type: set, values: "{{ row }}" }',
      '6 Expected names with values, or an =expression that gives an object',
    ],
    ['  - { id: a, type: delay, for: =nodes.a }', '6 These nodes wait for each other: a -> a'],
  ])('are refused with a reason: %s', (node, issue) => {
    expect(issuesOf(workflowText(node))).toContain(issue);
  });

  it.each([
    ['{ name: { type: text } }', 'Expected one of string, number, boolean, array, object, any'],
    [
      '{ name: { type: strnig } }',
      'Expected one of string, number, boolean, array, object, any (did you mean "string"?)',
    ],
    ['{ name: { typ: any } }', 'Unknown key "typ" (did you mean "type"?)'],
    ['{ name: string }', 'Expected names with values'],
  ])('describe fields of a row rightly: %s', (fields, message) => {
    const text = workflowText('').replace('type: input', `type: input\n    fields: ${fields}`);
    expect(issuesOf(text)).toEqual([`6 ${message}`]);
  });

  it.each(['/etc/passwd', '../secret.json', 'a/../../b.json', 'C:/x.json', '~/x.json', '"a\\\\b.json"'])(
    'take test rows only from beside the workflow, not from %s',
    (path) => {
      const text = workflowText('').replace('type: input', `type: input\n    testRows: ${path}`);
      expect(issuesOf(text)).toEqual([
        '6 Expected a file beside this one: a relative path with "/" and without ".."',
      ]);
    },
  );

  it('have a warning where nothing reads what they compute', () => {
    expect(issuesOf(workflowText('  - { id: lonely, type: set, values: { a: 1 } }'))).toEqual([
      '6 (warning) Nothing reads the node "lonely"',
    ]);
    expect(
      issuesOf(
        workflowText(
          '  - { id: a, type: set, values: { a: 1 } }\n  - { id: b, type: delay, for: 1s, after: a }',
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    ['true', 'true or false'],
    ['null', 'null'],
    ['{ a: 1 }', 'an object'],
    ['{ a: =row.a }', 'an object'],
  ])('have a warning where an output field is %s, which the interface does not name', (value, kind) => {
    const { issues, workflow } = parseWorkflow(workflowText('', `{ odd: ${value} }`));
    expect(workflow).toBeDefined();
    expect(issues).toMatchObject([
      {
        severity: 'warning',
        line: 8,
        column: 20,
        message: `The output field "odd" is ${kind}; clients of the API expect text, a number or a list`,
      },
    ]);
  });

  const strayEnd = 'This text has a }} without a {{ before it: it stays as it is';
  const dollar =
    "The $ before {{ stays in the text. Leave it out, or write {{ '$' }} where a dollar sign is meant";

  it.each([
    ['Hello row.name }}!', strayEnd],
    ['{{ row.a }} and row.b }}', strayEnd],
    ['${{ row.a }}', dollar],
    ['costs ${{ row.a }} or ${{ row.b }}', dollar],
  ])('have a warning where a text looks like part of a placeholder: %s', (text, message) => {
    const { issues, workflow } = parseWorkflow(workflowText('', JSON.stringify({ list: [text] })));
    expect(workflow).toBeDefined();
    expect(issues).toEqual([expect.objectContaining({ severity: 'warning', line: 8, column: 22, message })]);
  });

  it.each(['{"a":{"b":"{{ row.x }}"}}', '{"a":{"b":1}}', "{{ '$' }}{{ row.x }}", '5$', '{ } }'])(
    'have no warning where braces and dollars are meant: %s',
    (text) => {
      expect(issuesOf(workflowText('', JSON.stringify({ text })))).toEqual([]);
    },
  );
});

// The value of a tag was empty, so "when: !row.done" was said to be an empty expression too.
it('a value that is refused has no second issue', () => {
  const text = workflowText('', '{ x: =row.x }').replace('fields:', 'when: !row.done\n    fields:');
  expect(issuesOf(text)).toHaveLength(1);
});
