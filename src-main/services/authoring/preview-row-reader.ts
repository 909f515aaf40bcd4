// Reads the few rows that a preview shows. Who calls: PreviewService.
import { sampleRow } from '../../domain/workflow/sample-row.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type { PreviewRow } from '../../executor/run/preview-rows.ts';
import type { RunReading } from '../ports.ts';
import { numberedLines } from '../runs/rerun-rows.ts';
import { positionInRun } from '../runs/row-position.ts';
import type { RowSetService } from '../rowsets/row-set-service.ts';
import type { Preview, PreviewRowsInput } from '../../domain/run/preview.ts';
import type { RunService } from '../runs/run-service.ts';
import type { TableFiles } from '../../files/table-files.ts';
import { inputConfig, readTestRowsFile } from '../workflows/test-rows-file.ts';

export type PreviewRows = Pick<Preview, 'isSampleRow' | 'ofRun'> & { readonly rows: readonly PreviewRow[] };

type PreviewRowDeps = {
  readonly runs: RunService;
  readonly rowSets: RowSetService;
  readonly store: RunReading;
};

/** A draft whose rows are read. */
type DraftFile = {
  readonly workflowId: string;
  readonly file: string;
  readonly workflow: Workflow;
  /** Tables of the draft; absent: those of the disk. */
  readonly tables?: TableFiles | undefined;
};

/** Maximum characters of all rows; the first row is shown whatever its size. */
const maxCharacters = 1_000_000;

export class PreviewRowReader {
  readonly #deps: PreviewRowDeps;

  constructor(deps: PreviewRowDeps) {
    this.#deps = deps;
  }

  /**
   * In place of test rows that a draft does not have: rows of its last run, or else a row to try it with. Throws
   * `row_set_not_found`, `run_not_found`, `data_unreadable`, and `invalid_input` for a file of test rows that cannot be read.
   */
  async read(draft: DraftFile, choice: PreviewRowsInput, count: number): Promise<PreviewRows> {
    if (choice.of !== 'testRows' || hasTestRows(draft.workflow))
      return { rows: await firstRows(this.#rowsOf(draft, choice, count), count) };
    const [last] = await this.#deps.runs.list({ workflowId: draft.workflowId, limit: 1 });
    if (last !== undefined) {
      const { runId } = last.run;
      // A run whose rows are gone or damaged has none to show.
      const rows = await firstRows(this.#rowsOfRun(runId), count).catch(() => []);
      if (rows.length > 0) return { rows, ofRun: runId };
    }
    return { rows: [{ number: 1, json: JSON.stringify(sampleRow(draft.workflow)) }], isSampleRow: true };
  }

  async *#rowsOfRun(runId: string): AsyncGenerator<PreviewRow> {
    for await (const { number, line } of numberedLines(this.#deps.store.readRows(runId)))
      yield { number, json: textOf(line) };
  }

  async *#rowsOf(draft: DraftFile, choice: PreviewRowsInput, count: number): AsyncGenerator<PreviewRow> {
    switch (choice.of) {
      case 'rows':
        yield* numbered(
          choice.rows.map((row) => JSON.stringify(row)),
          choice.firstRow,
        );
        return;
      case 'testRows':
        yield* numbered(await readTestRowsStart(draft, count));
        return;
      case 'rowSet':
        for await (const { number, line } of numberedLines(await this.#deps.rowSets.readRows(choice.id)))
          yield { number, json: textOf(line) };
        return;
      case 'failed':
        yield* this.#failedRows(choice.runId, count);
    }
  }

  async *#failedRows(runId: string, count: number): AsyncGenerator<PreviewRow> {
    const { runs, store } = this.#deps;
    const { run } = await runs.get(runId);
    for (const { row } of await runs.readFailures(runId, count)) {
      const position = await positionInRun(store, run, row);
      for await (const { number, line } of numberedLines(store.readRows(runId, position))) {
        if (number !== row) continue;
        yield { number, json: textOf(line) };
        break;
      }
    }
  }
}

async function firstRows(all: AsyncIterable<PreviewRow>, count: number): Promise<readonly PreviewRow[]> {
  const rows: PreviewRow[] = [];
  let room = maxCharacters;
  for await (const row of all) {
    room -= row.json.length;
    if (rows.length === count || (room < 0 && rows.length > 0)) break;
    rows.push(row);
  }
  return rows;
}

function* numbered(lines: readonly string[], first = 1): Generator<PreviewRow> {
  for (const [index, json] of lines.entries()) yield { number: first + index, json };
}

const textOf = (line: Uint8Array): string => Buffer.from(line).toString('utf8');

function hasTestRows(workflow: Workflow): boolean {
  const testRows = inputConfig(workflow)?.testRows;
  return testRows !== undefined && ('file' in testRows || testRows.length > 0);
}

/** The first of the draft's test rows. A file is read no further than rows of usual size need. */
async function readTestRowsStart(
  { file, workflow, tables }: DraftFile,
  count: number,
): Promise<readonly string[]> {
  const config = inputConfig(workflow);
  const testRows = config?.testRows;
  if (config === undefined || testRows === undefined) return [];
  if (!('file' in testRows)) return testRows.slice(0, count).map((row) => JSON.stringify(row));
  const rows: string[] = [];
  for await (const piece of readTestRowsFile({
    workflowFile: file,
    rows: testRows,
    config,
    maxBytes: maxCharacters,
    tables,
  })) {
    for (const row of piece) rows.push(row);
    if (rows.length > count) break;
  }
  return rows;
}
