// Causes of failures: search in them, and what a user changes to fix one: the rows, the workflow, or nothing, since a
// service failed.
import type { FailureGroup, NodeSourceView, RunView } from '#contract';
import type { WorkflowRoute } from '../workflow/workflow-route.ts';

export type Fault = 'rows' | 'workflow' | 'service';

/** A call that may succeed the next time. Other answers, such as 404 or 422, depend on what the row sent. */
const ofService = /\bHTTP (?:408|429|5\d\d)\b|took longer than|was not answered/;
/** Names, code and settings of the workflow, which no row changes. */
const ofWorkflow = /\b(?:ReferenceError|SyntaxError)\b|is not a (?:function|constructor)|is refused:/;
/** The input node has checked a field of the row. */
const ofField = /^field "|^\S.*: .+ is not (?:text|a number|true or false|a list|an object)$/s;

/**
 * Where a cause is fixed. An error of code is the workflow's if no row of the run got past it, else it depends on the
 * row.
 */
export function faultOf(
  { message, rows }: Pick<FailureGroup, 'message' | 'rows'>,
  run: Pick<RunView, 'rowsDone' | 'rowsFailed'>,
): Fault {
  if (ofField.test(message)) return 'rows';
  if (ofService.test(message)) return 'service';
  if (ofWorkflow.test(message)) return 'workflow';
  const failsAll = rows > 1 && run.rowsDone === 0 && rows === run.rowsFailed;
  return failsAll && /\b\w*Error: /.test(message) ? 'workflow' : 'rows';
}

/** The node in the workflow's file; with its line only if the file is the one that ran. */
export const sourceRoute = (workflowId: string, nodeId: string, source: NodeSourceView): WorkflowRoute => ({
  screen: 'workflow',
  workflowId,
  nodeId,
  ...(source.isFileAsRun ? { line: source.line } : {}),
});

/** Causes whose message or node id contains every word; case is ignored. */
export function filterCauses(groups: readonly FailureGroup[], text: string): readonly FailureGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return groups;
  return groups.filter(({ nodeId, cause, message }) => {
    const searched = `${nodeId} ${cause} ${message}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
