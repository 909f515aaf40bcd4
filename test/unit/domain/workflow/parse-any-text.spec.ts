import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workflowText } from '../../../builders/workflow-text.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

const valid = `# A comment
rowbench: 1
id: sample
nodes:
  - { id: input, type: input, fields: { "a": { type: string } } }
  - id: work
    type: code
    each: "=row.list"
    retry: { attempts: 3, delay: 400ms }
    code: |
      const x = item; // {{ }}
      return { x, y: nodes.set?.z };
  - id: set
    type: set
    values: { z: 'A {{ row.a }} ''b'' \${ 1 }', "y": >-
      }
  - id: result
    type: output
    fields: { a: =nodes.work, b: "\\u0041{{ row.b }}" }
`.replace(', "y": >-\n      }', ' }');

function expectSound(text: string): void {
  const { workflow, issues } = parseWorkflow(text);
  const lines = text.replace(/^\ufeff/, '').split('\n');
  expect(workflow === undefined).toBe(issues.some((issue) => issue.severity === 'error'));
  for (const { line, column, message } of issues) {
    expect(message).not.toBe('');
    expect(lines[line - 1]).toBeDefined();
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
  }
}

describe('any text at all', { timeout: 30_000 }, () => {
  it('is the starting point: a valid file', () => {
    expect(parseWorkflow(valid).issues).toEqual([]);
  });

  it('gives a workflow or issues inside the text, never an exception', () => {
    const symbols = fc.constantFrom(
      ...'\n \t-:?[]{},#&*!|>\'"%@`=<ab1~.\\\r\ufeff\u2028😀'.split(''),
      '\n  ',
      '- ',
      ': ',
      '{{',
      '}}',
      '---\n',
      '!!',
      '"\\u',
      '<<:',
      '? ',
    );
    fc.assert(
      fc.property(fc.array(symbols, { maxLength: 60 }), (parts) => expectSound(parts.join(''))),
      { numRuns: 500 },
    );
  });

  it('gives the same when a valid file is damaged', () => {
    const piece = fc.constantFrom(
      '',
      ' ',
      '\n',
      ':',
      '{',
      '}',
      '"',
      "'",
      '=',
      '{{',
      '[',
      '\t',
      '&a',
      '*a',
      '#',
      'nodes',
      '\\',
      '/*',
      '`',
      '|',
      '1e999',
      '- ',
      '(',
      'null',
    );
    const cut = fc.record({ at: fc.nat(valid.length), length: fc.nat(12), piece });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
        expectSound(
          cuts.reduce((text, c) => text.slice(0, c.at) + c.piece + text.slice(c.at + c.length), valid),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.string(), (json, id) => {
        expectSound(json);
        expectSound(
          `{"rowbench":1,"id":${JSON.stringify(id)},"nodes":[${json}, {"id":"a","type":"set","values":${json}}]}`,
        );
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['expressions', 20_000, (many: string) => workflowText('', `{ a: [${many}] }`), '=x,'],
    ['cases', 150_000, (many: string) => workflowText(`  - { id: a, type: switch, cases: [${many}] }`), '1,'],
    ['nodes', 20_000, (many: string) => workflowText(`  - { id: a, after: [${many}] }`), 'x,'],
    ['placeholders', 20_000, (many: string) => workflowText('', `{ a: "${many}" }`), '{{ x }}'],
    ['names', 20_000, (many: string) => workflowText('', `{ a: "=[${many}]" }`), 'x,'],
    ['respelt strings', 50_000, (many: string) => workflowText('', `{ a: "=[${many}]" }`), "'import(x)',"],
  ])('ends soon and well with many %s: %d', (_, count, textWith, one) => {
    const { issues } = parseWorkflow(textWith(one.repeat(count)));
    expect(issues.length).toBeLessThanOrEqual(101);
  });
});
