import { hostedOutcomeUnknown, openAtService } from '../hosted-errors.ts';
import { isOpenAtService, isUnknownOutcome } from './hosted-attempt.ts';

type MaybeHosted = Parameters<typeof isOpenAtService>[0] & { readonly runId: string };

/** Throws `move_not_allowed` for a run whose rows a hosted service has, or may have, until it has ended. */
export function assertEndedAtService(run: MaybeHosted): void {
  const { hosted, runId } = run;
  if (hosted === undefined || !isOpenAtService(run)) return;
  throw (isUnknownOutcome(run) ? hostedOutcomeUnknown : openAtService)(hosted.connection, runId);
}
