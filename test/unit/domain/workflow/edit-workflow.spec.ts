import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { editWorkflow, type WorkflowEdit } from '../../../../src-main/domain/workflow/edit-workflow.ts';

const set = (path: (string | number)[], value: string | number | boolean | { a: number }): WorkflowEdit => ({
  kind: 'set',
  path,
  value,
});

const yaml = `# About the file
rowbench: 1
id:   sample   # keep me
nodes:
  # About the input
  - id: input
    type:  input

  - { id: wait,  type: delay, for: 1s }   # beside
  - id: work
    type: code
    code: |
      return 1; // one
`;

describe('an edit of a workflow file', () => {
  it('that changes nothing keeps every byte', async () => {
    expect(editWorkflow(yaml, [])).toBe(yaml);
    const example = await readFile('examples/lead-scoring.workflow.yaml', 'utf8');
    expect(editWorkflow(example, [])).toBe(example);
    expect(editWorkflow(example, [set(['name'], 'Lead scoring')])).toBe(example);
  });

  it.each<[string, WorkflowEdit, string, string]>([
    ['plain text', set(['id'], 'renamed'), 'id:   sample ', 'id:   renamed '],
    ['text that needs quotes', set(['id'], '=row.a: "b" #c'), 'id:   sample ', `id:   '=row.a: "b" #c' `],
    ['text of several lines', set(['id'], 'a\nb'), 'id:   sample ', 'id:   "a\\nb" '],
    ['text that looks like a number', set(['id'], '12'), 'id:   sample ', 'id:   "12" '],
    ['a number', set(['rowbench'], 2), 'rowbench: 1', 'rowbench: 2'],
    ['a value in braces', set(['nodes', 1, 'for'], 'a, }'), 'for: 1s }', 'for: "a, }" }'],
  ])('replaces %s and touches nothing else', (_, edit, from, to) => {
    expect(editWorkflow(yaml, [edit])).toBe(yaml.replace(from, to));
  });

  it('adds a key behind the others and keeps comments', () => {
    const after = editWorkflow(yaml, [set(['nodes', 2, 'retry'], { a: 1 })]);
    expect(after).toContain('      return 1; // one\n    retry:\n      a: 1\n');
    for (const comment of ['# About the file', '# keep me', '# About the input', '# beside'])
      expect(after).toContain(comment);
  });

  it('deletes a key or a node with what belongs to it', () => {
    const without = editWorkflow(yaml, [
      { kind: 'delete', path: ['nodes', 1] },
      { kind: 'delete', path: ['id'] },
    ]);
    expect(without).not.toContain('wait');
    expect(without).not.toContain('sample');
    expect(without).toContain('# About the input');
  });

  it('replaces code in a block and keeps it a block', () => {
    const after = editWorkflow(yaml, [set(['nodes', 2, 'code'], 'const a = 1;\nreturn a;\n')]);
    expect(after).toContain('    code: |\n      const a = 1;\n      return a;\n');
  });

  it('keeps the line ends of the file', () => {
    const after = editWorkflow(yaml.replaceAll('\n', '\r\n'), [set(['nodes', 2, 'timeout'], '2s')]);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(after).toContain('    timeout: 2s\r\n');
  });

  it.each(['  ', '\t'])('keeps JSON JSON, with its indentation %j', (indent) => {
    const json = `${JSON.stringify({ rowbench: 1, id: 'x', nodes: [{ id: 'a' }] }, null, indent)}\n`;
    const after = editWorkflow(json, [set(['id'], 'y'), set(['nodes', 0, 'more'], { a: 1 })]);
    expect(after).toBe(
      `${JSON.stringify({ rowbench: 1, id: 'y', nodes: [{ id: 'a', more: { a: 1 } }] }, null, indent)}\n`,
    );
  });
});
