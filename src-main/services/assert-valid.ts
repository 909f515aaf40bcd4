import { workflowInvalid } from '../domain/workflow-errors.ts';
import { placedIssue } from '../domain/workflow/issue.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import type { LoadedWorkflow } from './workflow-service.ts';

/** The workflow of a file without errors. Throws `workflow_invalid`. */
export function assertValid({ id, workflow, issues }: LoadedWorkflow): Workflow {
  if (workflow !== undefined) return workflow;
  throw workflowInvalid(id, issues.filter(({ severity }) => severity === 'error').map(placedIssue));
}
