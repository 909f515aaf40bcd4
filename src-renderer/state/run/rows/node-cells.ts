// Cells of nodes in the table of rows: a row of the table in the form that `cell-look.ts` draws.
import {
  count,
  fineDuration,
  parseColumn,
  type NodeCellView,
  type NodeStatisticsView,
  type RowView,
  type SelectedRow,
} from '#contract';

const missingCell: NodeCellView = { end: 'not kept', attempts: 0 };

/** Undefined for a row that has not ended. */
export function cellRow(row: SelectedRow | undefined): RowView | undefined {
  if (row?.state === undefined) return undefined;
  return {
    row: row.row,
    state: row.state,
    retries: row.retries ?? 0,
    ms: row.ms ?? 0,
    nodes: (row.cells ?? []).map((cell) => cell ?? missingCell),
    values: (row.values ?? []).map((value) => value?.text ?? null),
  };
}

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
