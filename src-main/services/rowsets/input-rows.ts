import { dirname, resolve } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { invariant } from '../../base/invariant.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { NodeOf, Workflow } from '../../domain/workflow/workflow.ts';
import { type DraftTexts, readRows, type ReadSheet } from '../../files/read-rows.ts';
import { plainReport } from '../../domain/rows/files/read-remarks.ts';
import { systemClock } from '../../base/system-clock.ts';
import { sheetNames } from '../../executor/parser/sheet-protocol.ts';
import { SheetProcess } from '../../executor/parser/sheet-process.ts';
import { siblingOfWorker } from '../platform.ts';

/** Where a run's rows come from: the workflow, its file's path, and the file that the user named, if any. */
type InputRowsOptions = SheetChoice & {
  readonly workflow: Workflow;
  readonly file: string;
  readonly rows: string | undefined;
  readonly signal?: AbortSignal;
};

type FileOptions = SheetChoice & {
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
  if (testRows !== undefined) return readInlineOrFileRows({ ...options, rows: testRows });
  throw new AppError(
    'invalid_input',
    `"${workflow.id}" has no test rows: name a file of rows with --rows FILE, or - for standard input`,
  );
}

/** Rows as a file gives them: an inline list, or the name of a rows file beside `file`. */
export function readInlineOrFileRows(
  input: FileOptions & {
    readonly workflow: Workflow;
    readonly file: string;
    readonly rows: readonly JsonObject[] | string;
  },
): AsyncIterable<Uint8Array> {
  const { workflow, file, rows } = input;
  if (typeof rows !== 'string') return inlineRows(rows);
  return rowsOfFile(workflow, resolve(dirname(file), rows), input);
}

/** Rows of a file that the user named, for whichever workflow: cells of CSV are text. Throws `invalid_input`. */
export const rowsNamed = (path: string, sheet: SheetChoice): AsyncIterable<Uint8Array> =>
  readRows(path, { types: new Map(), readSheet: sheetReader(sheet), read: { sheet: sheet.sheet } });

/** CSV cells take the types that the workflow's input node declares. */
function rowsOfFile(
  workflow: Workflow,
  path: string,
  { signal, drafts, ...sheet }: FileOptions,
): AsyncIterable<Uint8Array> {
  const { fields = [] } = inputNode(workflow).config;
  const types = new Map(fields.map(([name, { type }]) => [name, type]));
  return readRows(path, {
    types,
    signal,
    drafts,
    readSheet: sheetReader(sheet),
    read: { sheet: sheet.sheet },
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

export type SheetChoice = {
  /** Path of the bundled row worker; the reader of spreadsheets is beside it. */
  readonly workerScript: string;
  /** Name of the sheet; absent: the workbook has one that is not hidden. */
  readonly sheet?: string | undefined;
};

/** A reader that throws `invalid_input`. */
const sheetReader =
  ({ workerScript }: SheetChoice): ReadSheet =>
  async (bytes, types, { sheet }) => {
    const process = new SheetProcess({
      script: siblingOfWorker(workerScript, 'sheet-reader.cjs'),
      clock: systemClock,
    });
    try {
      const answer = await process.read({ sheet, mustName: true, types: [...types], bytes });
      if (answer.type === 'rows') return { lines: answer.lines, report: plainReport };
      if (answer.type === 'refused') throw new AppError('invalid_input', answer.problem);
      throw new AppError(
        'invalid_input',
        `it has several sheets: ${sheetNames(answer.sheets)}. Choose one with --sheet`,
      );
    } finally {
      await process.close();
    }
  };
