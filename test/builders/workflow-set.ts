// Plans of workflows that call each other, given as texts.
import { parse } from 'yaml';
import type { Table } from '../../src-main/domain/sources/table.ts';
import type { MockChoice } from '../../src-main/domain/workflow/choose-mocks.ts';
import { describeIssue } from '../../src-main/domain/workflow/issue.ts';
import { parseWorkflow } from '../../src-main/domain/workflow/parse-workflow.ts';
import type { Workflow } from '../../src-main/domain/workflow/workflow.ts';
import type { Plan } from '../../src-main/executor/plan.ts';
import { planRun } from '../../src-main/executor/plan-run.ts';

/** A workflow file of that id: an input node, the given nodes, and an output node with the given fields. */
export const workflowOf = (id: string, nodes: string, fields: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
${nodes.replace(/^\n/, '')}
  - { id: out, type: output, fields: ${fields} }
`;

/** The plan of the first workflow, which may call the others. */
export function planOfSet(
  texts: readonly string[],
  choice: MockChoice = {},
  tables: readonly Table[] = [],
): Plan {
  const [first, ...others] = texts.map(parsed);
  if (first === undefined) throw new Error('a plan has a workflow');
  const workflows = others.map((workflow) => ({ workflow, tables: [] }));
  return planRun(first, { mocks: choice }, { tables, workflows });
}

type File = { readonly id: string; readonly nodes: readonly FileNode[] };
type FileNode = { readonly type: string; readonly workflow?: string };

/** The same files, but the first one has the nodes of those that it calls as bodies. */
export function withBodies(texts: readonly string[]): readonly string[] {
  const [first, ...others] = texts.map((text) => parse(text) as File);
  if (first === undefined) throw new Error('a set has a workflow');
  const nodes = first.nodes.map(({ workflow, ...node }) => {
    const called = others.find(({ id }) => id === workflow);
    const body = called?.nodes.filter(({ type }) => type !== 'input');
    return { ...node, ...(body === undefined ? { workflow } : { nodes: body }) };
  });
  return [JSON.stringify({ ...first, nodes }), ...texts.slice(1)];
}

function parsed(text: string): Workflow {
  const { workflow, issues } = parseWorkflow(text);
  if (workflow !== undefined) return workflow;
  throw new Error(issues.map((issue) => describeIssue('test', issue)).join('\n'));
}
