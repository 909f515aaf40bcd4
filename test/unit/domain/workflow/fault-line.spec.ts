import { describe, expect, it } from 'vitest';
import { faultLine } from '../../../../src-main/domain/workflow/fault-line.ts';
import type { NodeType } from '../../../../src-main/domain/nodes/catalogue.ts';

const linesOf = (text: string) => text.split('\n').map((line, at) => ({ line: at + 10, text: line }));

const set = linesOf(`  - id: lead
    type: set
    values:
      # the domain
      email: "=row.email.trim()"
      domain: "=row.email.split('@')[1].toLowerCase()"`);
const code = linesOf(`  - id: check
    type: code
    code: |
      const sum = add(row.n);
      if (sum > 3) throw new Error(\`No account for \${row.name}\`);
      return { sum };`);
const input = linesOf(`  - id: input
    type: input
    fields:
      name: { type: string, required: true }
      email: { type: string, required: true }`);
const http = linesOf(`  - id: company
    type: http
    request:
      url: https://api.example.com/companies
      headers: { x-team: "=row.team" }
    auth: { secret: CRM_TOKEN }
    timeout: 2s`);
const llm = linesOf(`  - id: topic
    type: llm
    model: llama3.2
    messages: [{ role: user, content: "{{ row.text }}" }]
    baseUrl: http://localhost:11434/v1`);
const called = linesOf(`  - id: address
    type: workflow
    workflow: b
    timeout: 9s`);
const assert = linesOf(`  - id: adult
    type: assert
    message: "{{ row.name }} is too young"
    that: row.age >= 18`);

describe('the line at fault', () => {
  it.each<[string, NodeType, ReturnType<typeof linesOf>, string, number]>([
    ['an item', 'set', set, "item 2 of 3: TypeError: Cannot read properties of null (reading 'trim')", 14],
    ['a property of nothing', 'set', set, "TypeError: Cannot read properties of null (reading 'trim')", 14],
    [
      'a property of nothing further down',
      'set',
      set,
      "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
      15,
    ],
    ['an unknown function', 'code', code, 'ReferenceError: add is not defined', 13],
    ['an error that the code throws', 'code', code, 'Error: No account for Ada', 14],
    [
      'an error that the code does not write',
      'code',
      code,
      'RangeError: Maximum call stack size exceeded',
      12,
    ],
    ['a field of the input', 'input', input, 'field "email" is missing (required)', 14],
    ['a field of the wrong type', 'input', input, 'email: 4 is not text', 14],
    ['a call', 'http', http, 'HTTP 500 from GET https://api.example.com/companies', 13],
    ['a call to a model', 'llm', llm, 'HTTP 404 from POST http://localhost:11434/v1/chat/completions', 14],
    ['a header', 'http', http, 'the header "x-team" is an object, not text', 14],
    ['a secret', 'http', http, 'the call is refused: there is no secret CRM_TOKEN', 15],
    ['a time limit', 'http', http, 'timed out after 2s', 16],
    [
      'a time limit of the called workflow',
      'workflow',
      called,
      'workflow "b", node "c": timed out after 2s',
      12,
    ],
    ['a false condition', 'assert', assert, 'Ada is too young', 13],
    [
      'an error in a condition',
      'assert',
      assert,
      "TypeError: Cannot read properties of null (reading 'age')",
      13,
    ],
  ])('of %s is where it is written', (_, type, lines, message, line) => {
    expect(faultLine(lines, type, message)).toBe(line);
  });

  it.each([
    ['ends a group that it does not open', 'a(b', 11],
    ['could be matched in more ways than a computer can try', '(x+x+)+y', 12],
  ])('of a property is found as text, not as a pattern, if its name %s', (_, name, line) => {
    const lines = linesOf(
      `  - id: odd\n    a: "=row['a(b']"\n    b: "=row['(x+x+)+y']"\n    c: ".${'x'.repeat(40)}"`,
    );
    const message = `TypeError: Cannot read properties of undefined (reading '${name}')`;
    expect(faultLine(lines, 'set', message)).toBe(line);
  });

  it('is unknown if no key of the node is about the failure', () => {
    expect(faultLine(linesOf('- { id: a, type: set }'), 'set', 'no more memory')).toBeUndefined();
  });
});
