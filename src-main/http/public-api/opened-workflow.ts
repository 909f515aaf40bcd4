import { keyNotAllowed } from '../../domain/request-errors.ts';
import { workflowNotFound } from '../../domain/workflow-errors.ts';
import { mayUse, type ApiKey } from '../../domain/keys/api-key.ts';
import type { LoadedWorkflow } from '../../services/workflow-service.ts';
import { assertWorkflowId } from './call-facts.ts';
import type { PublicApiDeps } from './public-api-deps.ts';

/** The workflow that the key opens. Throws `workflow_not_found`, `key_not_allowed` or `workflow_untrusted`. */
export async function openedWorkflow(
  { workflows, trust }: Pick<PublicApiDeps, 'workflows' | 'trust'>,
  key: ApiKey,
  workflowId: string,
): Promise<LoadedWorkflow> {
  assertWorkflowId(workflowId);
  const workflow = await workflows.find(workflowId);
  if (workflow === undefined) throw workflowNotFound();
  if (!mayUse(key, workflowId)) throw keyNotAllowed();
  trust.assertTrusted(workflow);
  return workflow;
}
