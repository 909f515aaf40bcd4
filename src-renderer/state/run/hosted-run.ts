// Runs at a hosted service: what is known of them, and why their rows are not sent again.
import { hostedText, isFinal, type RunView, type SelectedRow } from '#contract';

type MaybeHosted = Pick<RunView, 'status' | 'hosted'>;

/** True if it is not known whether the service has the rows; only the user can find out. */
export const isOutcomeUnknown = ({ status, hosted }: MaybeHosted): boolean =>
  hosted?.isUnknown === true && !isFinal(status);

/** Rows of which the service may have an output, or may get one. */
export const unknownRows = (run: RunView): number =>
  run.hosted === undefined || isFinal(run.status) ? 0 : run.rows - run.rowsDone;

/** True for a failed row that an attempt at a hosted service has taken again, which has not ended. @param attempts oldest first */
export function isTakenThere({ takenBy = 0 }: SelectedRow, attempts: readonly RunView[]): boolean {
  const attempt = attempts[takenBy - 1];
  return attempt?.hosted !== undefined && !isFinal(attempt.status);
}

/** Why no other attempt takes the rows of the run; undefined if one may. */
export function hostedRefusal(run: MaybeHosted): string | undefined {
  const { status, hosted } = run;
  if (hosted === undefined || isFinal(status)) return undefined;
  return isOutcomeUnknown(run)
    ? `${hosted.connection} may have these rows: sending them again may be billed twice`
    : `Possible once the run at ${hosted.connection} has ended`;
}

/** Why an action on several runs does not take the run; undefined if it does. */
export function bulkRefusal(verb: string, run: MaybeHosted): string | undefined {
  const { hosted } = run;
  if (hosted === undefined || verb === 'pin' || verb === 'unpin') return undefined;
  if (hosted.sentAt !== undefined) {
    const refusal = hostedRefusal(run);
    if (refusal !== undefined) return `${refusal}: open the run`;
  }
  return verb.startsWith('rerun')
    ? `${hosted.connection} bills each run: open the run to repeat it`
    : undefined;
}

/** A line on a run at a hosted service that needs the user's attention; undefined: all is well. */
export function hostedNotice(run: MaybeHosted): string | undefined {
  const { problem, matchedBy } = run.hosted ?? {};
  const isUnproven = matchedBy === 'order' || matchedBy === 'none';
  return isUnproven || (problem !== undefined && !isFinal(run.status)) ? hostedText(run) : undefined;
}
