// Searches the rows and outputs of all runs for a text, the newest run first. It keeps nothing between two steps: the
// cursor says where the next one begins.
import { isAscii } from 'node:buffer';
import { AppError } from '../../../base/app-error.ts';
import { countLines, newline } from '../../../domain/rows/line-bytes.ts';
import { labelOf } from '../../../domain/rows/row-label.ts';
import { decodeRowNumbers } from '../../../domain/run/row-numbers.ts';
import {
  ValueFinder,
  type FindCursor,
  type FindHit,
  type FindPart,
  type FindQuery,
} from '../../../domain/query/find-values.ts';
import type { BatchReads } from '../batch-queries.ts';
import { LineCursor, lineBatchAt, parseLine, stepMs, type LineBatch } from '../line-cursor.ts';
import type { Run } from '../../../domain/run/run.ts';
import type { RunQueries } from './run-queries.ts';

/** Sorts behind the id of every run. */
const afterAllIds = 'z';

type Step = {
  readonly query: FindQuery;
  readonly finder: ValueFinder;
  readonly endMs: number;
  readonly hits: FindHit[];
  largeLines: number;
};

type Found = Pick<Run, 'runId' | 'workflowId'>;

type BatchAddress = {
  readonly run: Found;
  readonly of: FindCursor['of'];
  readonly position: number;
  readonly batch: LineBatch;
};

export class RunFinder {
  readonly #batches: BatchReads;
  readonly #runs: Pick<RunQueries, 'newestRun'>;

  constructor(runs: Pick<RunQueries, 'newestRun'>, batches: BatchReads) {
    this.#batches = batches;
    this.#runs = runs;
  }

  /** Searches for some milliseconds. */
  find(query: FindQuery): FindPart {
    const endMs = performance.now() + stepMs;
    const step: Step = { query, finder: new ValueFinder(query.text), endMs, hits: [], largeLines: 0 };
    const unreadableRuns: string[] = [];
    const answer = (next?: FindCursor): FindPart => ({
      hits: step.hits,
      largeLines: step.largeLines,
      unreadableRuns,
      ...(next === undefined ? {} : { next }),
    });
    let run = this.#firstRun(query);
    while (run !== undefined) {
      try {
        const next = this.#searchRun(run, step);
        if (next !== undefined) return answer(next);
      } catch (error) {
        // A damaged run hides no hits of others.
        if (!(error instanceof AppError && error.code === 'data_unreadable')) throw error;
        unreadableRuns.push(run.runId);
      }
      run = this.#runBefore(run, query);
      if (run !== undefined && isOver(step)) return answer({ runId: run.runId, of: 'input', position: 1 });
    }
    return answer();
  }

  /** Where the step ends within the run; undefined after its last row. */
  #searchRun(run: Found, step: Step): FindCursor | undefined {
    const { runId } = run;
    for (const of of ['input', 'output'] as const) {
      let position = firstPosition(step.query, runId, of);
      while (position !== undefined) {
        const batch = lineBatchAt(this.#batches, { runId, of, position });
        if (batch === undefined) break;
        position = this.#searchBatch(step, { run, of, position, batch });
        if (step.hits.length >= step.query.limit || isOver(step)) return { runId, of, position };
      }
    }
    return undefined;
  }

  /** Searches the lines of a batch from a position on. Returns the position after the last line that was searched. */
  #searchBatch(step: Step, address: BatchAddress): number {
    const { batch, position } = address;
    const end = batch.firstRow + batch.rows;
    if (batch.bytes === undefined) step.largeLines += batch.rows;
    for (const { text, isPlain, linesBefore } of slicesOf(batch.bytes)) {
      // Most slices have no match: their lines need not be told apart.
      if (!(isPlain ? step.finder.mayMatchAscii(text) : step.finder.mayMatch(text))) continue;
      const first = batch.firstRow + linesBefore();
      for (const [index, line] of text.split('\n').entries()) {
        if (first + index >= position) this.#searchLine(step, { ...address, position: first + index }, line);
        if (step.hits.length >= step.query.limit) return first + index + 1;
      }
    }
    return end;
  }

  #searchLine({ finder, hits }: Step, { run, of, position }: BatchAddress, line: string): void {
    if (!finder.mayMatch(line)) return;
    const found = finder.find(line);
    if (found.length === 0) return;
    const row = this.#numberAt(run.runId, position);
    const input = of === 'input' ? line : LineCursor.over(this.#batches, run.runId, 'input').lineAt(position);
    const label = labelOf(parseLine(input));
    for (const { name, ...value } of found)
      hits.push({ ...run, row, ...(label === undefined ? {} : { label }), column: { of, name }, ...value });
  }

  #numberAt(runId: string, position: number): number {
    const encoded = this.#batches.rowNumbers(runId, position, 1);
    return (encoded && decodeRowNumbers(encoded)[0]) ?? position;
  }

  /** The newest run at or before the cursor's. */
  #firstRun({ workflowId, cursor }: FindQuery): Found | undefined {
    return this.#runs.newestRun({ upTo: cursor?.runId ?? afterAllIds, workflowId });
  }

  #runBefore({ runId }: Found, { workflowId }: FindQuery): Found | undefined {
    return this.#runs.newestRun({ before: runId, workflowId });
  }
}

/** Bytes of a slice, about: a string of a whole batch takes ten times as long to make and to look through. */
const sliceBytes = 16 * 1024;

type Slice = {
  readonly text: string;
  /** True if the text is ASCII alone. */
  readonly isPlain: boolean;
  /** Counts the lines of the batch before the slice. */
  readonly linesBefore: () => number;
};

/** Lines in slices of whole lines. */
function* slicesOf(bytes: Uint8Array = new Uint8Array()): Generator<Slice> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    const newlineAt = bytes.indexOf(newline, start + sliceBytes);
    end = newlineAt < 0 ? bytes.length : newlineAt + 1;
    const slice = bytes.subarray(start, end);
    const isPlain = isAscii(slice);
    const text = Buffer.from(slice.buffer, slice.byteOffset, slice.length).toString(
      isPlain ? 'latin1' : 'utf8',
    );
    const before = bytes.subarray(0, start);
    yield { text, isPlain, linesBefore: () => countLines(before) };
  }
}

/** Where the search of a run's rows or outputs begins; undefined if they are not searched, or not any more. */
function firstPosition(
  { cursor, of: only }: FindQuery,
  runId: string,
  of: FindCursor['of'],
): number | undefined {
  if (only !== undefined && only !== of) return undefined;
  if (cursor?.runId !== runId) return 1;
  if (cursor.of === of) return cursor.position;
  return of === 'output' ? 1 : undefined;
}

const isOver = ({ endMs }: Step): boolean => performance.now() >= endMs;
