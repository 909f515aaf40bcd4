import { invariant } from '../base/invariant.ts';
import { createOutputWriter, type OutputFormat } from '../domain/rows/output-writer.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';

/** A run's stored outputs as text. The chunks are whole lines, in row order. */
export async function* outputText(
  chunks: AsyncIterable<RowLines>,
  format: OutputFormat,
): AsyncGenerator<string> {
  const writer = createOutputWriter(format);
  for await (const chunk of chunks) yield writer.push(linesOf(chunk));
  yield writer.end();
}

function linesOf({ bytes }: RowLines): readonly string[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  invariant(text === '' || text.endsWith('\n'), 'outputs come in whole lines');
  return text.split('\n').slice(0, -1);
}
