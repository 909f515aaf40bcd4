import type { Clock } from '../base/clock.ts';
import type { WorkflowService } from '../services/workflow-service.ts';

/** Soon enough after saving; a look costs one question to the disk a file. */
const lookEveryMs = 2000;

/**
 * Looks at the workflow files again and again, so that a mistake is told when it is saved and not when the workflow is
 * next called. Gives what ends it.
 */
export function noticeChanges(workflows: WorkflowService, clock: Clock): () => void {
  let isEnded = false;
  let cancel = (): void => undefined;
  const lookLater = (): void => {
    if (isEnded) return;
    // A failed look is not reported here: the next call of a workflow meets the same error.
    cancel = clock.setTimer(lookEveryMs, () => void workflows.refresh().then(lookLater, lookLater));
  };
  lookLater();
  return () => {
    isEnded = true;
    cancel();
  };
}
