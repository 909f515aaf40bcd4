// All rows of a comparison as lines of CSV. Who calls: the command line and the app's pages, each with its own `call`.
import { csvLine } from '../../domain/rows/export/csv-line.ts';
import { outcomeLabels } from '../../domain/query/comparison-text.ts';
import type { ComparisonPageInput } from './comparisons.ts';
import type { ComparedRowView, ComparisonStepView } from '../../domain/query/comparison-views.ts';

type ReadPage = (input: ComparisonPageInput) => Promise<ComparisonStepView>;

const pageRows = 500;

/** A header, then one line for each changed field, or for a row that has none. Yields the lines of some rows at a time. */
export async function* differencesCsv(
  read: ReadPage,
  options: Omit<ComparisonPageInput, 'from' | 'count' | 'isWhole'>,
): AsyncGenerator<string, void, undefined> {
  yield csvLine(['row', 'other_row', 'result', 'field', 'before', 'after']);
  let { version } = options;
  for (let from = 1; ;) {
    const page = await read({ ...options, version, from, count: pageRows, isWhole: true });
    if (!page.isReady) continue;
    ({ version } = page);
    if (page.rows.length > 0) yield page.rows.map(rowLines).join('');
    if (page.next > page.there || page.rows.length === 0) return;
    from = page.next;
  }
}

function rowLines({ outcome, firstNumber, secondNumber, ...row }: ComparedRowView): string {
  const start = [firstNumber ?? null, secondNumber ?? null, outcomeLabels[outcome]];
  if (row.fields === undefined)
    return csvLine([...start, null, failureText(row.firstFailure), failureText(row.secondFailure)]);
  return row.fields
    .map(({ name, before, after }) => csvLine([...start, name, before?.text ?? null, after?.text ?? null]))
    .join('');
}

const failureText = (failure: ComparedRowView['firstFailure']): string | null =>
  failure === undefined ? null : `${failure.nodeId}: ${failure.message}`;
