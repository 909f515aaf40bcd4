// Texts of the table of rows: the label of a row, and the summary of a node in the head of its column.
import { count, fineDuration, parseColumn, type NodeStatisticsView, type SelectedRow } from '#contract';

/**
 * The text by which users recognise a row.
 * @param key column that the user chose for it; if absent, it is the first text of the input
 */
export function labelOfFields({ input, output }: SelectedRow, key?: string): string | undefined {
  if (key === undefined) return input.find(({ kind, text }) => kind === 'text' && text.trim() !== '')?.text;
  const column = parseColumn(key);
  const fields = column?.of === 'output' ? output : input;
  return fields.find(({ name }) => name === column?.name)?.text;
}

/** The times of a node and how it ended, one fact a line. */
export function nodeSummary({ done, failed, replaced, skipped, ms, p95 }: NodeStatisticsView): string {
  const ran = done + failed + replaced;
  return [
    ...(ran === 0 ? [] : [`mean ${fineDuration(ms / ran)}`]),
    ...(p95 === null ? [] : [`p95 ${fineDuration(p95)}`]),
    ...(failed === 0 ? [] : [`${count(failed)} failed`]),
    ...(skipped === 0 ? [] : [`${count(skipped)} skipped`]),
  ].join('\n');
}
