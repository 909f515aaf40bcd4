import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const base = 'baseUrl: http://localhost:11434/v1, model: m, messages: [{ role: user, content: hi }]';

const issuesOf = (own: string) =>
  parseWorkflow(workflowText(`  - { id: ask, type: llm, ${own} }`)).issues.map(
    ({ severity, column, message }) => `${severity} ${column}: ${message}`,
  );

describe('an llm node in a file', () => {
  it('takes its schema as data, whatever looks like an expression in it', () => {
    const text = workflowText(`  - { id: ask, type: llm, ${base}, json: { const: "=row.a" } }`);
    expect(parseWorkflow(text)).toMatchObject({
      workflow: { nodes: [{}, { config: { json: { const: '=row.a' } } }, {}] },
      issues: [],
    });
  });

  it.each([
    [
      `${base}, json: { type: object, propertys: {} }`,
      'The keyword "propertys" is not understood (did you mean "properties"?)',
    ],
    [`${base}, json: false`, 'Expected a JSON Schema: names with values'],
    [`${base}, temperature: 3`, 'Expected at most 2'],
    [`${base}, maxTokens: 0`, 'Expected at least 1'],
    ['baseUrl: http://x.example, model: m, messages: []', 'Expected at least 1 entry'],
    [
      'baseUrl: http://x.example, model: m, messages: [{ role: bot, content: a }]',
      'Expected one of system, developer, user, assistant',
    ],
    ['model: m, messages: [{ role: user, content: a }]', 'Missing key "baseUrl"'],
  ])('is refused: %s', (own, message) => {
    expect(issuesOf(own)).toEqual([expect.stringMatching(/^error \d+: /)]);
    expect(issuesOf(own)[0]).toContain(message);
  });

  it('is refused at the keyword that is not checked', () => {
    const own = `${base}, json: { items: { $ref: x } }`;
    const column = workflowText(`  - { id: ask, type: llm, ${own} }`).split('\n')[5]?.indexOf('x }') ?? 0;
    expect(issuesOf(own)).toEqual([`error ${column + 1}: The keyword "$ref" is not understood`]);
  });

  it('is doubted where its base URL names no scheme', () => {
    expect(issuesOf('baseUrl: localhost:11434, model: m, messages: [{ role: user, content: a }]')).toEqual([
      expect.stringContaining('Expected a URL that begins with http:// or https://'),
    ]);
  });
});
