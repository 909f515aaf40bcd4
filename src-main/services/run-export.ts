// A run's results as a file with the columns and rows that the user chose. Reads the rows twice: first to find the
// columns and everything that the format cannot hold, then to write. Who calls: the control API and `rowbench export`.
import type { JsonObject } from '../base/json-value.ts';
import { textFinder } from '../domain/rows/find-text.ts';
import {
  exportColumns,
  exportedValue,
  type ExportColumn,
  type ExportRow,
} from '../domain/rows/export-columns.ts';
import type { ExportOptions } from '../domain/rows/export-options.ts';
import { createTableWriter, type TableWriter } from '../domain/rows/table-writer.ts';
import { ExportSurvey } from './export-survey.ts';
import {
  resultRows,
  rowSources,
  type ResultOptions,
  type ResultRow,
  type ExportedRun,
  type RowStore,
} from './latest-rows.ts';
import { RisingNumbers } from './selected-rows.ts';
import { workbook } from './workbook.ts';

export type ExportProgress = {
  /** `checking`: the rows are read for the first time, and nothing is written yet. */
  readonly phase: 'checking' | 'writing';
  readonly done: number;
  readonly total: number;
};

export type RunExport = {
  readonly store: RowStore;
  readonly runId: string;
  readonly options: ExportOptions;
  /** Selects rows by their numbers; absent: all rows. */
  readonly includes?: ((row: number) => boolean) | undefined;
  /** Reads the numbers of the only rows to export, rising; absent: all rows. */
  readonly numbers?: (() => AsyncGenerator<number, undefined>) | undefined;
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
  const { store, runId, options, onProgress } = request;
  const sources = await rowSources(store, runId, options.latest === true);
  const survey = new ExportSurvey(options.format);
  const total = sources.reduce((sum, { rows }) => sum + rows, 0);
  for await (const row of selectedRows(request, sources, (done) =>
    onProgress?.({ phase: 'checking', done, total }),
  ))
    survey.add(row);
  const columns = exportColumns(survey.fields, options);
  survey.assertFits(columns);
  const writer = createTableWriter(
    columns.map(({ name }) => name),
    options,
  );
  const text = tableText(request, { sources, columns, writer, rows: survey.rows });
  if (options.format === 'xlsx') yield* workbook(text);
  else yield* text;
}

type Table = {
  readonly sources: readonly ExportedRun[];
  readonly columns: readonly ExportColumn[];
  readonly writer: TableWriter;
  readonly rows: number;
};

async function* tableText(
  request: RunExport,
  { sources, columns, writer, rows: total }: Table,
): AsyncGenerator<string> {
  let text = writer.start();
  let done = 0;
  for await (const row of selectedRows(request, sources)) {
    text += writer.row(columns.map((column) => exportedValue(row, column)));
    done += 1;
    if (text.length < pieceLength) continue;
    request.onProgress?.({ phase: 'writing', done, total });
    yield text;
    text = '';
  }
  request.onProgress?.({ phase: 'writing', done, total });
  yield text + writer.end();
}

/** Rows between two looks at the signal and reports of progress. */
const reportEvery = 500;

async function* selectedRows(
  { store, options, includes, numbers, signal }: RunExport,
  sources: readonly ExportedRun[],
  onRead?: (rows: number) => void,
): AsyncGenerator<ExportRow> {
  const { failedRows = false, text } = options;
  const isIncluded = rowFilter({ failedRows, text, includes });
  const chosen = numbers && new RisingNumbers(numbers());
  let read = 0;
  try {
    for await (const row of resultRows(store, sources, neededOf(options))) {
      if (read % reportEvery === 0) {
        signal?.throwIfAborted();
        onRead?.(read);
      }
      read += 1;
      if (isIncluded(row) && (await chosen?.has(row.number)) !== false) yield parsedRow(row);
    }
  } finally {
    await chosen?.close();
  }
  signal?.throwIfAborted();
}

const neededOf = ({ inputColumns = false, failedRows = false, columns }: ExportOptions): ResultOptions => ({
  withInput: inputColumns || columns !== undefined,
  withFailures: failedRows || columns !== undefined,
});

type RowConditions = {
  readonly failedRows: boolean;
  readonly text: string | undefined;
  readonly includes: ((row: number) => boolean) | undefined;
};

function rowFilter({ failedRows, text, includes }: RowConditions): (row: ResultRow) => boolean {
  const hasText = text === undefined ? undefined : textFinder(text);
  return ({ number, output, failure }) => {
    if (includes?.(number) === false) return false;
    if (output.length > 0) return hasText?.(Buffer.from(output).toString()) ?? true;
    if (!failedRows || failure === undefined) return false;
    return hasText?.(JSON.stringify(failure.message)) ?? true;
  };
}

const parsedRow = ({ number, input, output, failure }: ResultRow): ExportRow => ({
  number,
  ...(input === undefined ? {} : { input: parsed(input) }),
  ...(output.length === 0 ? { failure } : { output: parsed(output) }),
});

const parsed = (line: Uint8Array): JsonObject =>
  JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()) as JsonObject;
