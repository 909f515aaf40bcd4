// Edits that may fix what a workflow names and is not there: a table, its column, or a workflow that it calls. Who calls:
// services/workflows/source-fixes.ts, which checks each of them.
import { siblingPath } from '../../nodes/sibling-path.ts';
import { needsOf, type TableNeed, type WorkflowNeed } from '../../sources/needs.ts';
import type { Workflow } from '../../workflow/workflow.ts';
import type { FixCandidate } from './fix-candidates.ts';
import type { LanguageContext, TableColumns } from './language-context.ts';

type Known = Pick<LanguageContext, 'workflowId' | 'workflowIds' | 'tables'>;

/** Maximum candidates of a node. */
const maxCandidates = 5;

/** Candidates for the issue of a node with a table or a called workflow. */
export function sourceCandidates(workflow: Workflow, nodeId: string, known: Known): readonly FixCandidate[] {
  const isOfNode = (need: { readonly nodeId: string }): boolean => need.nodeId === nodeId;
  const { tables, workflows } = needsOf(workflow);
  return [
    ...tables.filter(isOfNode).flatMap((need) => tableCandidates(need, known)),
    ...workflows.filter(isOfNode).flatMap((need) => workflowCandidates(need, known)),
  ].slice(0, maxCandidates);
}

function tableCandidates({ nodePath, path, key }: TableNeed, { tables }: Known): readonly FixCandidate[] {
  const usable = tables.filter((each) => each.columns.length > 0 && siblingPath.safeParse(each.path).success);
  const current = usable.find((each) => each.path === path);
  return current === undefined
    ? usable.map((table) => useTable(table, { nodePath, key }))
    : current.columns.map((column) => ({
        title: `Change to the column ${JSON.stringify(column)}`,
        edits: [{ kind: 'setValue', path: [...nodePath, 'key'], value: column }],
      }));
}

function useTable(
  { path, columns: [first = '', ...others] }: TableColumns,
  { nodePath, key }: Pick<TableNeed, 'nodePath' | 'key'>,
): FixCandidate {
  const title = `Change to ${JSON.stringify(path)}`;
  const table = { kind: 'setValue', path: [...nodePath, 'table'], value: path } as const;
  return first === key || others.includes(key)
    ? { title, edits: [table] }
    : {
        title: `${title}, column ${JSON.stringify(first)}`,
        edits: [table, { kind: 'setValue', path: [...nodePath, 'key'], value: first }],
      };
}

const workflowCandidates = (
  { nodePath }: WorkflowNeed,
  { workflowId, workflowIds }: Known,
): readonly FixCandidate[] =>
  workflowIds
    .filter((id) => id !== workflowId)
    .map((id) => ({
      title: `Change to ${JSON.stringify(id)}`,
      edits: [{ kind: 'setValue', path: [...nodePath, 'workflow'], value: id }],
    }));
