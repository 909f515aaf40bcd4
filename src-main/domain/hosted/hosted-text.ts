import { count, counted, duration } from '../format.ts';
import type { RunStatus } from '../run/run-status.ts';
import type { HostedAttempt } from './hosted-attempt.ts';
import type { ConnectionProbe } from './hosted-connection.ts';
import type { RecordedAnswersView } from './recorded-answers.ts';

/** How far a run is at its service, in a line; empty for a run that executes here. */
export function hostedText({
  status,
  hosted,
}: {
  readonly status: RunStatus;
  readonly hosted?: HostedAttempt | undefined;
}): string {
  if (hosted === undefined) return '';
  const { connection, runId, sentAt, isUnknown, matchedBy, problem } = hosted;
  const id = runId === undefined ? '' : ` as ${runId}`;
  if (isUnknown === true) return `At ${connection}: outcome unknown (${problem ?? 'no id came back'})`;
  if (sentAt === undefined)
    return problem === undefined
      ? `Not sent to ${connection} yet`
      : `Not sent to ${connection} yet: ${problem}`;
  const matched = matchedBy === undefined ? '' : `, ${matchTexts[matchedBy]}`;
  return `At ${connection}${id}: ${status}${matched}${problem === undefined ? '' : ` (${problem})`}`;
}

const matchTexts: Readonly<Record<NonNullable<HostedAttempt['matchedBy']>, string>> = {
  one: 'one row',
  field: 'outputs matched by a field',
  order: 'outputs matched by their order, which is not proven',
  none: 'outputs could not be matched to rows',
};

/** Results of the test of a connection, as pairs of a name and a value. */
export const connectionTestText = ({
  withKey,
  withoutKey,
  clockAheadMs,
  problem,
}: ConnectionProbe): readonly (readonly [name: string, value: string])[] => [
  ['with key', `${withKey.text} (${duration(withKey.ms)})`],
  ['without', `${withoutKey.text} (${duration(withoutKey.ms)})`],
  ['clock', clockText(clockAheadMs)],
  ['result', problem ?? 'as the interface document says'],
];

/** The date of an answer has whole seconds. */
function clockText(aheadMs: number | undefined): string {
  if (aheadMs === undefined) return 'not told';
  if (Math.abs(aheadMs) < 2_000) return 'as here';
  return `${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

/** Lines on the answers that were recorded. */
export function recordedText({
  rows,
  runs,
  connection,
  file,
  changedRows,
  rowsWithoutOutput,
  leftOut,
  isByOrder,
}: RecordedAnswersView): readonly string[] {
  return [
    `Recorded ${counted(rows, 'row')} of ${counted(runs, 'run')} at ${connection} in ${file}`,
    ...(changedRows > 0
      ? [
          `${counted(changedRows, 'row')} had different answers: the newest one is used, the others are in "others".`,
        ]
      : []),
    ...(rowsWithoutOutput > 0
      ? [`${counted(rowsWithoutOutput, 'row')} had no output there: a run of them fails here.`]
      : []),
    ...(leftOut === undefined
      ? []
      : [
          `The file has room for no more: ${count(leftOut.rows)} answers of ${leftOut.runIds.join(', ')} were left out.`,
        ]),
    ...(isByOrder === true ? ['Outputs were matched to rows by their order, which is not proven.'] : []),
  ];
}
