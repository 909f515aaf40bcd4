// Output fields that have lists only: an export can have one line for each of their entries.
import { maxStatisticsColumns, type Call, type Column, type TableRowsInput } from '#contract';
import { readStatistics } from '../read-statistics.ts';

/** @param isNeeded asked before each request: false ends the reading, and the fields found by then are the answer */
export async function listFields(
  call: Call,
  { rows, columns, isNeeded }: ListQuestion,
): Promise<readonly string[]> {
  const outputs = columns.filter(({ of }) => of === 'output');
  const fields: string[] = [];
  for (let start = 0; start < outputs.length; start += maxStatisticsColumns) {
    const part = outputs.slice(start, start + maxStatisticsColumns);
    const found = await readStatistics(call, { ...rows, columns: part }, { isNeeded });
    for (const { column, types } of found ?? [])
      if (Object.keys(types).join() === 'list') fields.push(column.name);
  }
  return fields;
}

type ListQuestion = {
  readonly rows: TableRowsInput;
  readonly columns: readonly Column[];
  readonly isNeeded: () => boolean;
};
