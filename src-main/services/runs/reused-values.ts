// Adds node values from a run's trace to the rows of a run that repeats it. Rows and traces are streamed together, so
// memory stays bounded.
import { countLines } from '../../domain/rows/line-bytes.ts';
import { rowNumberAt, type RowLines } from '../../domain/run/row-numbers.ts';
import { parseTraceLine, type RowTrace } from '../../domain/results/row-trace.ts';
import { dependenciesOf, type Dependencies } from '../../domain/workflow/graph.ts';
import type { ArrivingRows } from '../../domain/run/stored-run.ts';
import type { Plan } from '../../executor/plan.ts';

type Rows = AsyncIterable<RowLines>;
type TraceLine = { readonly row: number; readonly line: string };
type TraceLines = AsyncIterable<TraceLine>;

/** The plans of both runs, and the nodes whose values are reused. */
export type Reuse = {
  /** Plan of the run that has the trace. */
  readonly before: Plan;
  readonly now: Plan;
  /** Ids in the order of execution. */
  readonly nodeIds: readonly string[];
};

/** The rows, each with the values of those nodes that are kept whole; a row without any runs whole. */
export async function* withReusedValues(
  rows: Rows,
  traces: TraceLines,
  reuse: Reuse,
): AsyncGenerator<ArrivingRows> {
  const valuesOf = reusedLines(reuse);
  const cursor = new TraceCursor(traces);
  try {
    for await (const piece of rows) {
      let reused = '';
      for (let index = 0; index < countLines(piece.bytes); index += 1) {
        const line = await cursor.lineOf(rowNumberAt(piece, index));
        reused += `${line === undefined ? '' : valuesOf(line)}\n`;
      }
      yield { ...piece, reused: Buffer.from(reused) };
    }
  } finally {
    await cursor.close();
  }
}

/** Finds the lines of rows that are asked for in row order. */
class TraceCursor {
  readonly #lines: AsyncIterator<TraceLine>;
  #next: IteratorResult<TraceLine> | undefined;

  constructor(lines: TraceLines) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  async lineOf(row: number): Promise<string | undefined> {
    this.#next ??= await this.#lines.next();
    while (this.#next.done !== true && this.#next.value.row < row) this.#next = await this.#lines.next();
    return this.#next.done !== true && this.#next.value.row === row ? this.#next.value.line : undefined;
  }

  async close(): Promise<void> {
    await this.#lines.return?.();
  }
}

/** From a line of the trace to one as `executor/worker/row-run.ts` reads it; empty for none. */
function reusedLines({ before, now, nodeIds }: Reuse): (line: string) => string {
  const indexes = new Map(before.nodes.map(({ id }, index) => [id, index]));
  const dependencies = dependenciesOf(now.nodes);
  return (line) => {
    const trace = traceWithValues(line);
    if (trace === undefined) return '';
    const entries = new Map<string, string>();
    for (const nodeId of nodeIds) {
      const entry = entryOf(trace, nodeId, indexes.get(nodeId));
      if (entry !== undefined && isReusable(nodeId, { nodeIds, dependencies, entries }))
        entries.set(nodeId, entry);
    }
    return entries.size === 0 ? '' : `[${[...entries.values()].join(',')}]`;
  };
}

/** A value holds only with those that it was made of. */
function isReusable(
  nodeId: string,
  known: {
    readonly nodeIds: readonly string[];
    readonly dependencies: Dependencies;
    readonly entries: ReadonlyMap<string, string>;
  },
): boolean {
  return [...(known.dependencies.get(nodeId) ?? [])].every(
    (other) => !known.nodeIds.includes(other) || known.entries.has(other),
  );
}

/** Undefined for a row whose values were not kept, or whose line is damaged: such a row runs whole. */
function traceWithValues(line: string): RowTrace | undefined {
  // A quote inside a text is escaped, so this is found where it is a key.
  if (!line.includes(',"values":[')) return undefined;
  try {
    return parseTraceLine(line);
  } catch {
    return undefined;
  }
}

function entryOf(trace: RowTrace, nodeId: string, index = -1): string | undefined {
  const cell = trace.nodes[index];
  const value = trace.values.get(index);
  const hasEnded = cell !== undefined && cell.end !== 'failed' && cell.end !== 'not reached';
  if (!hasEnded || (value !== undefined && value.kind !== 'whole')) return undefined;
  const id = JSON.stringify(nodeId);
  return value === undefined ? `[${id}]` : `[${id},${JSON.stringify(value.value)}]`;
}
