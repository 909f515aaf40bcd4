// Outputs of a hosted service as results of rows, in the order of the rows. Who calls: HostedRun.
import type { Alignment } from '../../../domain/hosted/align-outputs.ts';
import { eachLine } from '../../../domain/rows/line-bytes.ts';
import type { RowFailure } from '../../../domain/run/row-failure.ts';
import { rowNumberAt, type RowLines } from '../../../domain/run/row-numbers.ts';
import { rowStateBytes, writeRowState } from '../../../domain/run/row-state.ts';
import type { BatchResult } from '../../../domain/run/stored-run.ts';

/** Maximum rows and characters of one batch. */
const maxBatchRows = 1000;
const maxBatchChars = 1_000_000;

/** All lines as texts; undefined if they have more bytes than `maxBytes`. */
export async function textLines(
  rows: AsyncIterable<RowLines>,
  maxBytes: number,
): Promise<readonly string[] | undefined> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let bytes = 0;
  for await (const chunk of rows) {
    bytes += chunk.bytes.length;
    if (bytes > maxBytes) return undefined;
    for (const line of eachLine(chunk.bytes)) lines.push(decoder.decode(line));
  }
  return lines;
}

type Aligned = {
  readonly entries: readonly string[];
  readonly alignment: Alignment;
  /** Rows that have results already. */
  readonly afterRow: number;
  readonly connection: string;
};

/** The results of the rows behind `afterRow`; a row without an entry has failed. */
export async function* resultBatches(
  rows: AsyncIterable<RowLines>,
  { entries, alignment, afterRow, connection }: Aligned,
): AsyncGenerator<BatchResult> {
  const message =
    alignment.by === 'none'
      ? `${connection}'s answer could not be matched to this row`
      : `${connection} returned no output for this row`;
  const batch = new RowsOfBatch();
  let index = 0;
  for await (const lines of rows)
    for (const [offset] of [...eachLine(lines.bytes)].entries()) {
      index += 1;
      if (index <= afterRow) continue;
      const output = entries[alignment.entryOf[index - 1] ?? entries.length];
      const row = rowNumberAt(lines, offset);
      batch.add(output, { row, nodeId: connection, message, attempts: 1 });
      if (batch.isFull) yield batch.take();
    }
  if (!batch.isEmpty) yield batch.take();
}

/** Rows of the batch that is being filled. */
class RowsOfBatch {
  #outputs: string[] = [];
  #failures = new Map<number, RowFailure>();
  #chars = 0;

  get isEmpty(): boolean {
    return this.#outputs.length === 0;
  }

  get isFull(): boolean {
    return this.#outputs.length >= maxBatchRows || this.#chars >= maxBatchChars;
  }

  add(output: string | undefined, failure: RowFailure): void {
    if (output === undefined) this.#failures.set(this.#outputs.length, failure);
    this.#outputs.push(output ?? '');
    this.#chars += output?.length ?? 0;
  }

  /** The results of the rows so far; the next batch begins empty. */
  take(): BatchResult {
    const [outputs, failures] = [this.#outputs, this.#failures];
    this.#outputs = [];
    this.#failures = new Map();
    this.#chars = 0;
    const states = new Uint8Array(outputs.length * rowStateBytes);
    const view = new DataView(states.buffer);
    for (const index of outputs.keys()) {
      const state = failures.has(index) ? 'failed' : 'done';
      writeRowState(view, index * rowStateBytes, { state, retries: 0, durationMicros: 0 });
    }
    return {
      rows: outputs.length,
      outputs: Buffer.from(outputs.map((output) => `${output}\n`).join('')),
      states,
      failures: [...failures.values()],
      trace: Buffer.from([...failures.values()].map((failure) => `${JSON.stringify(failure)}\n`).join('')),
      nodes: [],
    };
  }
}
