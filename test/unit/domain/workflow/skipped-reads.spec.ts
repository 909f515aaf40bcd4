// Reads of nodes that may be skipped: 20 files, which of them have a warning, and that both fixes end it.
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../../../src-main/domain/authoring/edit/text-changes.ts';
import { emptyContext } from '../../../../src-main/domain/authoring/language/language-context.ts';
import { quickFixes } from '../../../../src-main/domain/authoring/language/quick-fixes.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const opener = (when = 'row.size === "large"'): string => `
  - id: opener
    type: set
    when: ${when}
    values: { text: Hello, people: [] }`;

const warningsOf = (text: string): readonly string[] => {
  const { issues, workflow } = parseWorkflow(text);
  expect(workflow).toBeDefined();
  return issues.flatMap(({ severity, message, line, column }) =>
    message.includes('may be skipped') ? [`${severity} ${line}:${column} ${message}`] : [],
  );
};

const doubtful: readonly (readonly [
  title: string,
  nodes: string,
  fields: string,
  count: number,
  fixed: readonly [string, string],
])[] = [
  [
    'an output without a condition',
    opener(),
    '{ text: "=nodes.opener.text" }',
    1,
    ['when: row.size === "large"', '=nodes.opener?.text'],
  ],
  [
    'two placeholders of a text',
    opener(),
    '{ text: "{{ nodes.opener.text }} and {{ nodes.opener.people.length }}" }',
    2,
    ['when: row.size === "large"', '{{ nodes.opener?.text }} and'],
  ],
  [
    'a member by its name in brackets',
    opener(),
    `{ text: "=nodes.opener['text']" }`,
    1,
    ['when: row.size === "large"', "=nodes.opener?.['text']"],
  ],
  [
    'the left side of ??',
    opener(),
    `{ text: "=nodes.opener.text ?? ''" }`,
    1,
    ['when: row.size === "large"', "=nodes.opener?.text ?? ''"],
  ],
  [
    'a node with another condition',
    `${opener()}
  - { id: next, type: set, when: row.a || row.b, values: { text: =nodes.opener.text } }`,
    '{ next: "=nodes.next?.text" }',
    1,
    ['when: row.size === "large" && (row.a || row.b)', '=nodes.opener?.text'],
  ],
  [
    'a node with a part of the condition',
    `${opener('row.a && row.b')}
  - { id: next, type: set, when: row.a, values: { text: =nodes.opener.text } }`,
    '{ next: "=nodes.next?.text" }',
    1,
    ['when: row.a && row.b && row.a', '=nodes.opener?.text'],
  ],
  [
    'the list of each',
    `${opener('"row.a ? 1 : 0"')}
  - { id: next, type: set, each: nodes.opener.people, values: { a: =item } }`,
    '{ next: "=nodes.next" }',
    1,
    ['when: "row.a ? 1 : 0"', 'each: nodes.opener?.people'],
  ],
  [
    'a condition that reads a member',
    `${opener('=row.a')}
  - { id: next, type: set, when: nodes.opener.text !== '', values: { a: 1 } }`,
    '{ next: "=nodes.next" }',
    1,
    ["when: row.a && nodes.opener.text !== ''", "when: nodes.opener?.text !== ''"],
  ],
  [
    'code before its first branch',
    `${opener('row.a')}
  - id: next
    type: code
    code: |
      const { length } = nodes.opener.text;
      if (length > 3) return nodes.opener.text;
      return nodes.opener.text + length;`,
    '{ next: "=nodes.next" }',
    1,
    ['when: row.a', 'const { length } = nodes.opener?.text;'],
  ],
  [
    'a node of a body, which has conditions of its own',
    `${opener('row.a')}
  - id: people
    type: workflow
    row: { mail: =row.mail }
    nodes:
      - { id: opener, type: set, when: row.mail, values: { x: 1 } }
      - { id: last, type: set, values: { x: =nodes.opener.x } }
      - { id: inner, type: output, fields: { x: =nodes.last?.x } }`,
    '{ next: "=nodes.people", text: "=nodes.opener?.text" }',
    1,
    ['type: set, when: row.mail, values: { x: =nodes.opener.x }', '=nodes.opener?.x'],
  ],
];

const clear: readonly (readonly [title: string, nodes: string, fields: string])[] = [
  ['a read with ?.', opener(), '{ text: "=nodes.opener?.text.length", all: "=nodes.opener" }'],
  [
    'a read behind && and in branches',
    opener(),
    `{ a: "=nodes.opener && nodes.opener.text", b: "=nodes.opener ? nodes.opener.text : ''", c: "=row.a?.find(nodes.opener.text)" }`,
  ],
  ['a callback', opener(), '{ a: "=row.people.map((each) => nodes.opener.text + each)" }'],
  [
    'the same condition in other spaces and quotes',
    `${opener()}
  - { id: next, type: set, when: "row.size==='large' && row.a", values: { text: =nodes.opener.text } }`,
    '{ next: "=nodes.next?.text" }',
  ],
  [
    'a condition that reads the node',
    `${opener()}
  - { id: next, type: set, when: nodes.opener, values: { text: =nodes.opener.text } }
  - { id: last, type: set, when: nodes.next !== undefined, values: { text: =nodes.opener.text } }`,
    '{ next: "=nodes.last?.text" }',
  ],
  [
    'a condition that reads a node with the same condition',
    `${opener('row.a')}
  - { id: check, type: set, when: row.a, values: { ok: true } }
  - { id: next, type: set, when: nodes.check?.ok, values: { text: =nodes.opener.text } }`,
    '{ next: "=nodes.next?.text" }',
  ],
  [
    'a node that takes another value when it fails',
    `${opener()}
  - { id: next, type: set, values: { text: =nodes.opener.text }, onError: { value: null } }`,
    '{ next: "=nodes.next?.text" }',
  ],
  [
    'a row that an assertion ends otherwise',
    `${opener('row.a')}
  - { id: check, type: assert, that: row.a, message: no a }`,
    '{ text: "=nodes.opener.text" }',
  ],
  [
    'a row that fails otherwise',
    `${opener('row.a === 1')}
  - { id: stop, type: fail, when: row.a !== 1, message: no a }`,
    '{ text: "=nodes.opener.text" }',
  ],
  [
    'code behind an early return',
    `${opener()}
  - id: next
    type: code
    code: |
      if (nodes.opener === undefined) return '';
      return nodes.opener.text;`,
    '{ next: "=nodes.next" }',
  ],
  [
    'code with a name of its own',
    `${opener()}
  - { id: next, type: code, code: "const nodes = { opener: { text: 1 } }; return nodes.opener.text" }`,
    '{ next: "=nodes.next ?? nodes.opener" }',
  ],
];

describe('a read of a node that may be skipped', () => {
  it.each(doubtful)('has a warning and two fixes: %s', (_, nodes, fields, count, fixed) => {
    const text = workflowText(nodes, fields);
    const warnings = warningsOf(text);
    expect(warnings).toHaveLength(count);
    const found = quickFixes(text, emptyContext).filter(({ message }) => message.includes('may be skipped'));
    expect(found.map(({ fixes }) => fixes.length)).toEqual(Array.from({ length: count }, () => 2));
    for (const [index, part] of fixed.entries()) {
      const after = applyChanges(text, found[0]?.fixes[index]?.changes ?? []);
      expect(after).toContain(part);
      expect(warningsOf(after).length).toBe(index === 0 ? 0 : count - 1);
    }
  });

  it('is named with the condition, at its place', () => {
    expect(warningsOf(workflowText(opener(), '{ text: "=1 + nodes.opener.text" }'))).toEqual([
      'warning 12:27 "opener" may be skipped (when row.size === "large"), and this reads it without "?."',
    ]);
  });

  it.each(clear)('has no warning: %s', (_, nodes, fields) => {
    expect(warningsOf(workflowText(nodes, fields))).toEqual([]);
  });
});
