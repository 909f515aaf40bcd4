// What rows and their nodes' values read like in the cells of a table: the beginning of each, in one line. Who calls:
// RowLists. Rows whose values cannot be read, or that are too large to be read for a table, have no texts.
import { isJsonObject, textOfJson, type JsonValue } from '../../base/json-value.ts';
import { countLines, eachLine } from '../../domain/rows/line-bytes.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import { labelOf, maxCellCharacters, type RowLabel } from '../../domain/rows/row-label.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import { parseTraceLine } from '../../domain/results/row-trace.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import type { Plan } from '../../executor/plan.ts';
import type { RunReading } from '../ports.ts';

type Stretch = { readonly from: number; readonly count: number };

/** Bytes of rows or outputs that one table reads. */
const maxBytes = 4 * 1024 * 1024;

/** Objects read as `name: Ada, score: 7`; all else as JSON, but a text as it is. */
const textOfValue = (value: JsonValue): string =>
  beginning(
    isJsonObject(value)
      ? Object.entries(value)
          .slice(0, maxCellCharacters)
          .map(([name, entry]) => `${name}: ${textOfJson(entry)}`)
          .join(', ')
      : textOfJson(value),
    maxCellCharacters,
  );

/** By index in the stretch; undefined for a row without a text. */
export async function readLabels(
  store: RunReading,
  runId: string,
  stretch: Stretch,
): Promise<readonly (RowLabel | undefined)[]> {
  const rows = await readLines(store.readRows(runId, stretch.from), stretch);
  return rows.map(labelOf);
}

/** By the row's index in the stretch, then by the node's index in the plan. */
export type ValueTexts = readonly (readonly (string | undefined)[])[];

/**
 * The values of input and output nodes are stored for each row, so they are known without a trace.
 * @param traces the rows' lines, by index in the stretch
 */
export async function readValueTexts(
  store: RunReading,
  runId: string,
  { plan, traces, ...stretch }: Stretch & { plan: Plan; traces: ReadonlyMap<number, string> },
): Promise<ValueTexts> {
  const outputNodes = plan.nodes.filter(({ type }) => type === 'output');
  const inputs = await readLines(store.readRows(runId, stretch.from), stretch);
  const outputs =
    outputNodes.length === 1
      ? await readLines(store.readOutputs(runId, undefined, stretch.from), stretch)
      : [];
  return Array.from({ length: stretch.count }, (_, at) => {
    const line = traces.get(at);
    const traced = line === undefined ? undefined : parseTraceLine(line)?.values;
    return plan.nodes.map(({ type }, nodeIndex) => {
      const value = traced?.get(nodeIndex);
      if (value?.kind === 'whole') return textOfValue(value.value);
      if (value?.kind === 'cut') return beginning(value.text, maxCellCharacters);
      const stored = type === 'input' ? inputs[at] : type === 'output' ? outputs[at] : undefined;
      return stored === undefined ? undefined : textOfValue(stored);
    });
  });
}

/** Values by index in the stretch, as far as they can be read. */
async function readLines(
  pieces: AsyncIterable<RowLines>,
  stretch: Stretch,
): Promise<readonly (JsonValue | undefined)[]> {
  const values: (JsonValue | undefined)[] = [];
  try {
    await readInto(values, pieces, stretch);
  } catch (error) {
    // How the rows ended is still shown.
    if (!isUnreadable(error)) throw error;
  }
  return Array.from(values);
}

async function readInto(
  values: (JsonValue | undefined)[],
  pieces: AsyncIterable<RowLines>,
  stretch: Stretch,
): Promise<void> {
  let bytes = 0;
  for await (const piece of pieces) {
    for (const { at, line } of linesWithin(piece, stretch)) {
      bytes += line.length;
      if (bytes > maxBytes) return;
      values[at] = JSON.parse(Buffer.from(line).toString('utf8')) as JsonValue;
    }
    if (piece.firstRow + countLines(piece.bytes) >= stretch.from + stretch.count) return;
  }
}

function* linesWithin(
  { bytes, firstRow }: RowLines,
  { from, count }: Stretch,
): Generator<{ readonly at: number; readonly line: Uint8Array }> {
  let at = firstRow - from;
  for (const line of eachLine(bytes)) {
    if (at >= 0 && at < count && line.length > 0) yield { at, line };
    at += 1;
  }
}
