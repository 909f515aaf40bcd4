import { counted } from '../domain/format.ts';
import { groupFailures } from '../domain/results/failure-causes.ts';
import { describeFailure, type RowFailure } from '../domain/run/row-failure.ts';

/** Maximum lines about failures or their causes. */
const failuresShown = 5;

/** Each failure if they are few, else the causes with the numbers of their first rows. */
export function failureLines(failures: readonly RowFailure[], rowsFailed: number): readonly string[] {
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
