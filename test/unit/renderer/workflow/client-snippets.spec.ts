import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientSnippets } from '../../../../src-renderer/state/workflow/client-snippets.ts';

const options = { url: 'http://127.0.0.1:4170', workflowId: 'score-leads', rows: [{ name: 'Ada' }] };
const textOf = (id: string, rows: readonly unknown[] = options.rows): string =>
  clientSnippets({ ...options, rows }).find((each) => each.id === id)?.text ?? '';
const all = ['sh', 'javascript', 'python', 'go'] as const;

describe('a program that calls the service', () => {
  it.each(all)('in %s names the workflow, reads the key, keeps to the limits and knows the ends', (id) => {
    const text = textOf(id);
    for (const word of [
      'http://127.0.0.1:4170/api/v1/workflows/score-leads/runs',
      'ROWBENCH_KEY',
      '429',
      'completed',
      'failed',
      'cancelled',
      '/async/status',
      '/async/response',
    ])
      expect(text).toContain(word);
    expect(text).toMatch(/retry-after|\[Rr\]etry-\[Aa\]fter/i);
    expect(text).toMatch(/sleep\D{0,4}10\b/i);
  });

  it('holds any row, whatever quotes are in it', () => {
    const rows = [{ text: `it's "so" \`far\` \${x} '''  \\ \n end` }];
    const inside: Record<string, RegExp> = {
      sh: /-d '([^']*)'/,
      python: /r'''([^']*)'''/,
      go: /const body = `([^`]*)`/,
      javascript: /const rows = ([\s\S]*?);\nconst sleep/,
    };
    for (const id of all) {
      const json = inside[id]?.exec(textOf(id, rows))?.[1] ?? '';
      const read: unknown = JSON.parse(json);
      expect(Array.isArray(read) ? read : (read as { rows: unknown }).rows).toEqual(rows);
    }
  });

  it.each(all)('in %s contains a key only if it is given one', (id) => {
    const withKey = clientSnippets({ ...options, key: 'rbk_new' }).find((each) => each.id === id)?.text ?? '';
    expect(withKey).toMatch(/['"]rbk_new['"]/);
    expect(withKey).not.toMatch(/environ|Getenv|process\.env|export/);
    expect(withKey).toContain('Keep this file private');
    expect(textOf(id)).not.toContain('rbk_new');
  });

  it('keeps a field that JavaScript would take for something else', () => {
    expect(textOf('javascript', [JSON.parse('{"__proto__":1}')])).toContain('JSON.parse(String.raw`');
  });

  it('never lets a row out of its quotes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const rows = [{ value }];
        expect(/-d '([^']*)'\n/.exec(textOf('sh', rows))?.[1]).toBeDefined();
        expect(/r'''([^']*)'''\)\n/.exec(textOf('python', rows))?.[1]).toBeDefined();
        expect(/= `([^`]*)`\n/.exec(textOf('go', rows))?.[1]).toBeDefined();
      }),
    );
  });
});
