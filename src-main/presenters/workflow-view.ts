import type { WorkflowView } from '../contract/index.ts';
import type { TrustService } from '../services/workflows/trust-service.ts';
import type { LoadedWorkflow } from '../services/workflows/workflow-service.ts';

/** The part of a workflow that lists show. */
export const workflowView = (loaded: LoadedWorkflow, trust: TrustService): WorkflowView => ({
  id: loaded.id,
  name: loaded.workflow?.name ?? loaded.id,
  file: loaded.file,
  nodes: loaded.workflow?.nodes.length ?? 0,
  issues: loaded.issues,
  ...(loaded.sampleRow === undefined ? {} : { sampleRow: loaded.sampleRow }),
  trust: trust.standingOf(loaded).kind,
  network: trust.networkOf(loaded.id),
});
