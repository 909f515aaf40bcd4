// Rows of the table as text for a spreadsheet: the shown columns of selected rows, with whole values.
import {
  count,
  counted,
  type Call,
  type Column,
  type RowSelection,
  type RowValueView,
  type SelectedRow,
} from '#contract';
import { writeTsv } from '../../entry/grid/tsv.ts';
import { cellLook, valueLook } from '../cell-look.ts';
import type { TableColumn } from './table-columns.ts';

/** Maximum rows that are copied at once; an export has more. */
export const maxCopiedRows = 10_000;
/** Maximum values that are fetched whole because the table has their beginning only. */
const maxWholeValues = 1_000;
const rowsAtOnce = 500;

type CopyOptions = {
  readonly call: Call;
  readonly runId: string;
  readonly selection: RowSelection;
  readonly columns: readonly TableColumn[];
  /** True: cells of nodes are copied as their values, as the table shows them. */
  readonly hasCellValues: boolean;
};

/** Nodes whose cells or values are copied. */
const nodesOf = (columns: readonly TableColumn[]): readonly string[] => [
  ...new Set(columns.filter(({ of }) => of === 'cell' || of === 'node').map(({ name }) => name)),
];

/** Copies the rows to the clipboard, and resolves to a message about it. Throws as `rowsAsTsv`. */
export async function copyRows(options: CopyOptions): Promise<string> {
  const { text, rows, total } = await rowsAsTsv(options);
  await navigator.clipboard.writeText(text);
  if (rows >= total) return `${counted(rows, 'row')} copied`;
  return `The first ${count(rows)} of ${counted(total, 'row')} copied. Export has all of them`;
}

/** Throws the server's error, and an error with a message for the user if the values are too large. */
async function rowsAsTsv(
  copied: CopyOptions,
): Promise<{ readonly text: string; readonly rows: number; readonly total: number }> {
  const options = {
    ...copied,
    columns: copied.columns.filter(({ of }) => of !== 'reason' && of !== 'folded'),
  };
  const { rows, total } = await readRows(options);
  const hasFailures = rows.some(({ failure }) => failure !== undefined);
  const names = options.columns.map(({ name, key }) =>
    options.columns.filter((column) => column.name === name).length > 1 ? key : name,
  );
  const records = [['row', ...names, ...(hasFailures ? ['failed because'] : [])]];
  const values = new WholeValues(options);
  for (const row of rows) {
    const cells: string[] = [];
    for (const column of options.columns) cells.push(await values.textOf(row, column));
    const reason = row.failure === undefined ? '' : `${row.failure.nodeId}: ${row.failure.message}`;
    records.push([String(row.row), ...cells, ...(hasFailures ? [reason] : [])]);
  }
  return { text: writeTsv(records), rows: rows.length, total };
}

type CopiedRows = { readonly rows: readonly SelectedRow[]; readonly total: number };

async function readRows({
  call,
  runId,
  selection,
  columns,
  hasCellValues,
}: CopyOptions): Promise<CopiedRows> {
  const rows: SelectedRow[] = [];
  let total = 0;
  const nodes = nodesOf(columns);
  const values = hasCellValues || columns.some(({ of }) => of === 'node');
  const cells = nodes.length === 0 ? {} : { nodes, values };
  for (let from = 1; rows.length < maxCopiedRows;) {
    const answer = await call('run.table', { runId, selection, from, count: rowsAtOnce, ...cells });
    if (!answer.isReady) continue;
    rows.push(...answer.rows);
    total = answer.total;
    if (answer.next <= from || answer.next > answer.total) break;
    from = answer.next;
  }
  return { rows: rows.slice(0, maxCopiedRows), total };
}

const tooLong = () => new Error('These values are too long to copy. Export the rows instead.');

/** Values of rows as texts; those of which the table has only the beginning are fetched. */
class WholeValues {
  readonly #options: CopyOptions;
  #fetched = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /** Throws the server's error, and an error with a message for the user if the values are too large. */
  async textOf(row: SelectedRow, { of, name }: TableColumn): Promise<string> {
    if (of === 'cell') return this.#cellText(row, name);
    if (of === 'node') return this.#nodeText(row, name);
    if (of === 'reason' || of === 'folded') return '';
    return this.#fieldText(row, { of, name });
  }

  #cellText(row: SelectedRow, nodeId: string): string {
    const { columns, hasCellValues } = this.#options;
    const index = nodesOf(columns).indexOf(nodeId);
    return (hasCellValues ? valueLook : cellLook)(row, index).text;
  }

  #nodeText({ values }: SelectedRow, nodeId: string): string {
    const value = values?.[nodesOf(this.#options.columns).indexOf(nodeId)];
    return value?.length === undefined ? (value?.text ?? '') : `${value.text}…`;
  }

  async #fieldText(row: SelectedRow, { of, name }: Column): Promise<string> {
    const field = row[of].find((each) => each.name === name);
    if (field?.length === undefined) return field?.text ?? '';
    this.#fetched += 1;
    if (this.#fetched > maxWholeValues) throw tooLong();
    const { call } = this.#options;
    const { runId = this.#options.runId } = row;
    const value: RowValueView | null = await call('run.value', { runId, row: row.row, of, field: name });
    if (value === null) return '';
    if (value.isCut) throw tooLong();
    const parsed: unknown = JSON.parse(value.json);
    return typeof parsed === 'string' ? parsed : value.json;
  }
}
