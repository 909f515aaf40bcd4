// A run's results as a file with the columns and rows that the user chose. Reads the rows twice: first to find the
// columns and everything that the format cannot hold, then to write. Who calls: the control API and `rowbench export`.
import type { JsonObject } from '../../base/json-value.ts';
import type { RowSelection } from '../../domain/query/row-selection.ts';
import { textFinder } from '../../domain/rows/find-text.ts';
import { parseInOrder } from '../../domain/rows/name-order.ts';
import {
  exportColumns,
  exportedValue,
  type ExportColumn,
  type ExportRow,
} from '../../domain/rows/export/export-columns.ts';
import { explodedRow } from '../../domain/rows/export/explode-row.ts';
import type { ExportOptions } from '../../domain/rows/export/export-options.ts';
import { createTableWriter, type TableWriter } from '../../domain/rows/export/table-writer.ts';
import { rowsIn } from '../../domain/run/run.ts';
import type { StoredRun } from '../../domain/run/stored-run.ts';
import { ExportOrder } from './export-order.ts';
import { ExportSurvey } from './export-survey.ts';
import { resultRows, rowSources, type ResultOptions, type ResultRow, type RowStore } from './latest-rows.ts';
import type { RowQueries } from '../ports.ts';
import { RisingNumbers, selectedNumbers } from './selected-rows.ts';
import { workbook } from './workbook.ts';

export type ExportProgress = {
  /** `checking`: the rows are read for the first time, and nothing is written yet. */
  readonly phase: 'checking' | 'writing' | 'ended';
  readonly done: number;
  readonly total: number;
  /** Lines that the file gets below its header; undefined while the rows are checked. */
  readonly lines?: number;
};

export type RunExport = {
  readonly store: RowStore;
  readonly queries: Pick<RowQueries, 'selectNumbers'>;
  readonly runId: string;
  readonly options: ExportOptions;
  /** Exports only rows that fulfil its conditions, in its order; absent: all rows by their numbers. */
  readonly selection?: RowSelection | undefined;
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Ends the export, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** Characters of a piece of the file. */
const pieceLength = 64_000;

/**
 * The pieces of the file. Throws before the first piece: `run_not_found`, `invalid_input` for a column that is not there
 * and for rows that the format cannot hold, `data_unreadable`.
 */
export async function* exportRun(request: RunExport): AsyncGenerator<string | Uint8Array> {
  const { store, runId, options, selection, onProgress } = request;
  const latest = options.latest === true || selection?.latest === true;
  const sources = await rowSources(store, runId, latest);
  const survey = new ExportSurvey(options);
  const total = sources.reduce((sum, { counts }) => sum + rowsIn(counts), 0);
  const order = isOrdered(selection) ? new ExportOrder(selection) : undefined;
  for await (const result of chosenRows(request, sources, (done) =>
    onProgress?.({ phase: 'checking', done, total }),
  )) {
    const row = parsedRow(result);
    survey.add(row);
    order?.add(row, result.output.length + (result.input?.length ?? 0));
  }
  survey.assertField();
  const columns = exportColumns(survey.fields, options);
  survey.assertFits(columns);
  const writer = createTableWriter(
    columns.map(({ name }) => name),
    options,
  );
  const { rows, lines } = survey;
  onProgress?.({ phase: 'writing', done: 0, total: rows, lines });
  const text = tableText(request, { sources, columns, writer, order, rows, lines });
  if (options.format === 'xlsx') yield* workbook(text);
  else yield* text;
}

const isOrdered = (selection: RowSelection | undefined): selection is RowSelection =>
  selection?.sort !== undefined || selection?.groupBy !== undefined;

type Table = {
  readonly sources: readonly StoredRun[];
  readonly columns: readonly ExportColumn[];
  readonly writer: TableWriter;
  /** Absent: by the numbers of the rows. */
  readonly order: ExportOrder | undefined;
  readonly rows: number;
  readonly lines: number;
};

async function* tableText(
  request: RunExport,
  { sources, columns, writer, order, rows: total, lines }: Table,
): AsyncGenerator<string> {
  let text = writer.start();
  let done = 0;
  const read = (): AsyncGenerator<ResultRow> => chosenRows(request, sources);
  for await (const result of order === undefined ? read() : order.arrange(read)) {
    for (const line of linesOf(parsedRow(result), request.options)) {
      text += writer.row(columns.map((column) => exportedValue(line, column)));
      if (text.length < pieceLength) continue;
      request.onProgress?.({ phase: 'writing', done, total, lines });
      yield text;
      text = '';
    }
    done += 1;
  }
  request.onProgress?.({ phase: 'ended', done, total, lines });
  yield text + writer.end();
}

const linesOf = (row: ExportRow, { explode }: ExportOptions): Iterable<ExportRow> =>
  explode === undefined ? [row] : explodedRow(row, explode);

/** Rows between two looks at the signal and reports of progress. */
const reportEvery = 500;

async function* chosenRows(
  request: RunExport,
  sources: readonly StoredRun[],
  onRead?: (rows: number) => void,
): AsyncGenerator<ResultRow> {
  const { store, runId, options, selection, signal } = request;
  const isIncluded = rowFilter(options);
  const chosen =
    selection === undefined || selection.conditions.length === 0
      ? undefined
      : new RisingNumbers(selectedNumbers(request, runId, { selection, signal }));
  let read = 0;
  try {
    for await (const row of resultRows(store, sources, neededOf(request))) {
      if (read % reportEvery === 0) {
        signal?.throwIfAborted();
        onRead?.(read);
      }
      read += 1;
      if (isIncluded(row) && (await chosen?.has(row.number)) !== false) yield row;
    }
  } finally {
    await chosen?.close();
  }
  signal?.throwIfAborted();
}

function neededOf({ options, selection }: RunExport): ResultOptions {
  const { inputColumns = false, failedRows = false, columns } = options;
  const ordered = [selection?.sort?.column, selection?.groupBy];
  const isOrderedByInput = ordered.some((column) => typeof column === 'object' && column.of === 'input');
  return {
    withInput: inputColumns || columns !== undefined || isOrderedByInput,
    withFailures: failedRows || columns !== undefined,
    withTimes: selection?.sort?.column === 'took',
  };
}

function rowFilter({ failedRows = false, text }: ExportOptions): (row: ResultRow) => boolean {
  const hasText = text === undefined ? undefined : textFinder(text);
  return ({ output, failure }) => {
    if (output.length > 0) return hasText?.(Buffer.from(output).toString()) ?? true;
    if (!failedRows || failure === undefined) return false;
    return hasText?.(JSON.stringify(failure.message)) ?? true;
  };
}

const parsedRow = ({ number, input, output, failure, ms }: ResultRow): ExportRow => ({
  number,
  ms,
  ...(input === undefined ? {} : { input: parsed(input) }),
  ...(output.length === 0 ? { failure } : { output: parsed(output) }),
});

const parsed = (line: Uint8Array): JsonObject =>
  parseInOrder(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()) as JsonObject;
