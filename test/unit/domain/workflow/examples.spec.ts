import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeIssue } from '../../../../src-main/domain/workflow/issue.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { nodeTypes } from '../../../../src-main/domain/nodes/catalogue.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

const folder = 'examples';
const files = await readdir(folder);
const workflows = files.filter((file) => file.endsWith('.workflow.yaml'));
const textOf = (file: string): Promise<string> => readFile(`${folder}/${file}`, 'utf8');

describe('the examples', () => {
  it('are at least six', () => {
    expect(workflows.length).toBeGreaterThanOrEqual(6);
  });

  it.each(workflows)('%s has no errors and no warnings, and names its schema', async (file) => {
    const text = await textOf(file);
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\/workflow\.schema\.json\n/);
    const { workflow, issues } = parseWorkflow(text);
    expect(issues.map((issue) => describeIssue(file, issue))).toEqual([]);
    expect(`${workflow?.id}.workflow.yaml`).toBe(file);
  });

  it.each(workflows)('%s has test rows beside it', async (file) => {
    const { workflow } = parseWorkflow(await textOf(file));
    const input = workflow?.nodes.find((node) => node.type === 'input');
    const testRows = input?.type === 'input' ? input.config.testRows : undefined;
    expect(testRows).toEqual({ file: `${workflow?.id}.rows.json`, read: {} });
    const rows: unknown = JSON.parse(await textOf(`${workflow?.id}.rows.json`));
    expect(rows).toEqual(expect.arrayContaining([expect.any(Object)]));
  });

  it.each(files.filter((file) => file.endsWith('.expected.json')))('%s has one entry a row', async (file) => {
    const expected = JSON.parse(await textOf(file)) as unknown[];
    const rows = JSON.parse(await textOf(file.replace('.expected.', '.rows.'))) as unknown[];
    expect(expected.length).toBe(rows.length);
  });
});

describe('the example of each node type', () => {
  it.each(Object.values(nodeTypes))('$type is a node that parses', ({ type, example }) => {
    const indented = example.replace(/^/gm, '  ');
    const file = workflowText(indented)
      .replace(type === 'input' ? '  - id: input\n    type: input\n' : '', '')
      .replace(type === 'output' ? / {2}- id: result\n {4}type: output\n {4}fields: \{.*\}\n$/ : '', '');
    expect(parseWorkflow(file).issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  });
});
