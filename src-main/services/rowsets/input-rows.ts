import { dirname, resolve } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { invariant } from '../../base/invariant.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { rowsFileOf, type RowsSource } from '../../domain/nodes/rows-source.ts';
import type { NodeOf, Workflow } from '../../domain/workflow/workflow.ts';
import { type DraftTexts, readRows, type ReadSheet } from '../../files/read-rows.ts';
import type { ReadOptions } from '../../domain/rows/files/read-options.ts';
import type { ColumnTypes } from '../../domain/rows/typed-cell.ts';
import { systemClock } from '../../base/system-clock.ts';
import { sheetNames } from '../../executor/parser/sheet-protocol.ts';
import { SheetProcess } from '../../executor/parser/sheet-process.ts';
import { siblingOfWorker } from '../platform.ts';

/** Where a run's rows come from: the workflow, its file's path, and the file that the user named, if any. */
type InputRowsOptions = ReadChoice & {
  readonly workflow: Workflow;
  readonly file: string;
  readonly rows: string | undefined;
  readonly signal?: AbortSignal;
};

type FileOptions = ReadChoice & {
  readonly signal?: AbortSignal | undefined;
  readonly drafts?: DraftTexts | undefined;
};

/**
 * The rows named by the user, else the test rows of the input node: an inline list, or a file beside the
 * workflow. Throws `invalid_input` when there are neither.
 */
export function inputRows(options: InputRowsOptions): AsyncIterable<Uint8Array> {
  const { workflow, rows } = options;
  const { testRows } = inputNode(workflow).config;
  if (rows !== undefined) return rowsOfFile(workflow, rows, options);
  if (rowsFileOf(testRows) === undefined) assertNoReadOptions(options.read);
  if (testRows !== undefined) return readInlineOrFileRows({ ...options, rows: testRows });
  throw new AppError(
    'invalid_input',
    `"${workflow.id}" has no test rows: name a file of rows with --rows FILE, or - for standard input`,
  );
}

function assertNoReadOptions(read: ReadOptions = {}): void {
  const [name] = Object.keys(read);
  if (name !== undefined)
    throw new AppError('invalid_input', `--${name} says how a file is read: name the file with --rows`);
}

/** Rows as a file gives them: an inline list, or the name of a rows file beside `file`. */
export function readInlineOrFileRows(
  input: FileOptions & {
    readonly workflow: Workflow;
    readonly file: string;
    readonly rows: RowsSource;
  },
): AsyncIterable<Uint8Array> {
  const { workflow, file, rows } = input;
  if (!('file' in rows)) return inlineRows(rows);
  const read = { ...rows.read, ...input.read };
  return rowsOfFile(workflow, resolve(dirname(file), rows.file), { ...input, read });
}

/** Rows of a file that the user named; cells of CSV without a type are text. Throws `invalid_input`. */
export const rowsNamed = (
  path: string,
  types: ColumnTypes,
  { workerScript, ...choice }: ReadChoice,
): AsyncIterable<Uint8Array> => readRows(path, { types, readSheet: sheetReader(workerScript), ...choice });

/** CSV cells take the types that the workflow's input node declares. */
function rowsOfFile(
  workflow: Workflow,
  path: string,
  { workerScript, signal, drafts, read, onReport }: FileOptions,
): AsyncIterable<Uint8Array> {
  const { fields = [] } = inputNode(workflow).config;
  const types = new Map(fields.map(([name, { type }]) => [name, type]));
  return readRows(path, {
    types,
    signal,
    drafts,
    readSheet: sheetReader(workerScript),
    read,
    onReport,
  });
}

function inputNode(workflow: Workflow): NodeOf<'input'> {
  const node = workflow.nodes.find((candidate) => candidate.type === 'input');
  invariant(node !== undefined, 'a valid workflow has an input node');
  return node;
}

async function* inlineRows(rows: readonly JsonObject[]): AsyncGenerator<Uint8Array> {
  for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`, 'utf8');
}

type ReadChoice = Pick<Parameters<typeof readRows>[1], 'read' | 'onReport'> & {
  /** Path of the bundled row worker; the reader of spreadsheets is beside it. */
  readonly workerScript: string;
};

/** A reader that throws `invalid_input`. */
const sheetReader =
  (workerScript: string): ReadSheet =>
  async (bytes, types, read) => {
    const process = new SheetProcess({
      script: siblingOfWorker(workerScript, 'sheet-reader.cjs'),
      clock: systemClock,
    });
    try {
      const answer = await process.read({ read, mustName: true, types: [...types], bytes });
      if (answer.type === 'rows') return answer;
      if (answer.type === 'refused') throw new AppError('invalid_input', answer.problem);
      throw new AppError(
        'invalid_input',
        `it has several sheets: ${sheetNames(answer.sheets)}. Choose one with --sheet`,
      );
    } finally {
      await process.close();
    }
  };
