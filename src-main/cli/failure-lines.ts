import { counted } from '../domain/format.ts';
import { groupFailures } from '../domain/results/failure-causes.ts';
import { describeFailure, type RowFailure } from '../domain/run/row-failure.ts';
import { callNeedOf, type CallNeed } from '../domain/upstream/call-needs.ts';
import { withItsFolder } from '../domain/workflow-errors.ts';

/** Maximum lines about failures or their causes. */
const failuresShown = 5;

/** Each failure if they are few, else the causes with the numbers of their first rows; then the commands that help. */
export const failureLines = (failures: readonly RowFailure[], rowsFailed: number): readonly string[] => [
  ...linesOfFailures(failures, rowsFailed),
  ...needLines(failures.map(({ message }) => message)),
];

/** The commands that give refused calls what they need, each once. */
export function needLines(messages: readonly string[]): readonly string[] {
  const needs = messages.flatMap((message) =>
    // The message has the option of the command already.
    message.includes('--allow-network') ? [] : (callNeedOf(message) ?? []),
  );
  return [...new Set(needs.map(commandFor))];
}

function commandFor(need: CallNeed): string {
  switch (need.kind) {
    case 'secret':
      return `Store the secret with "rowbench secrets set ${need.name} --host ${need.host ?? 'HOST'}" ${withItsFolder}`;
    case 'network':
      return `If ${need.workflowId} may call there: "rowbench grants allow ${need.workflowId} ${need.network}" ${withItsFolder}`;
    case 'recording':
      return 'Record it with "rowbench test --record"';
  }
}

function linesOfFailures(failures: readonly RowFailure[], rowsFailed: number): readonly string[] {
  if (rowsFailed <= failuresShown) return failures.map(describeFailure);
  const groups = groupFailures(failures);
  const lines = groups.slice(0, failuresShown).map(({ nodeId, cause, rows, firstRows }) => {
    const numbers = `${rows === 1 ? 'row' : 'rows'} ${firstRows.join(', ')}${rows > firstRows.length ? ', …' : ''}`;
    return `${counted(rows, 'row')}: node "${nodeId}": ${cause} (${numbers})`;
  });
  const others = groups.length - lines.length;
  if (others > 0) lines.push(`and ${counted(others, 'more cause')}`);
  const isPart = failures.length < rowsFailed;
  return isPart ? [...lines, `counted over the first ${counted(failures.length, 'failed row')}`] : lines;
}
