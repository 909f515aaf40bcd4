// Values of nodes in rows that may be far apart, for columns of a table.
import { previewValue, type ValuePreview } from '../../domain/rows/preview-row.ts';
import { parseTraceLine, type TracedValue } from '../../domain/results/row-trace.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import type { Plan } from '../../executor/plan.ts';
import type { RunReading } from '../ports.ts';

export type NodeValues = {
  /** The row's number. */
  readonly row: number;
  /** In the order of the requested nodes; null: the node gave none. Absent: no values of the row are kept. */
  readonly values?: readonly (ValuePreview | null)[];
};

export type NodeValuesRequest = { readonly rows: readonly number[]; readonly nodes: readonly string[] };

/** Values of each row, in the order of the rows. A trace that cannot be read has no values. */
export async function readNodeValues(
  store: Pick<RunReading, 'readTraces'>,
  { runId, plan }: { readonly runId: string; readonly plan: Plan },
  { rows, nodes }: NodeValuesRequest,
): Promise<readonly NodeValues[]> {
  const indexes = nodes.map((id) => plan.nodes.findIndex((node) => node.id === id));
  const found: NodeValues[] = [];
  for (const row of rows) {
    const line = await lineOf(store, runId, row);
    const traced = line === undefined ? undefined : parseTraceLine(line)?.values;
    const isStored = traced !== undefined && traced.size > 0;
    found.push({
      row,
      ...(isStored ? { values: indexes.map((index) => shownValue(traced.get(index))) } : {}),
    });
  }
  return found;
}

async function lineOf(
  store: Pick<RunReading, 'readTraces'>,
  runId: string,
  row: number,
): Promise<string | undefined> {
  try {
    for await (const { line } of store.readTraces(runId, row, row)) return line;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return undefined;
}

function shownValue(value: TracedValue | undefined): ValuePreview | null {
  if (value === undefined) return null;
  if (value.kind === 'whole') return previewValue(value.value);
  // Of a cut value the trace has the beginning of its JSON.
  return value.kind === 'cut' ? { ...previewValue(value.text), kind: 'object' } : null;
}
