import { invariant } from '../base/invariant.ts';
import {
  createOutputWriter,
  type CsvReader,
  type OutputFormat,
  type OutputLine,
} from '../domain/rows/output-writer.ts';
import { rowNumberAt, type RowLines } from '../domain/run/row-numbers.ts';

type OutputTextOptions = {
  readonly reader?: CsvReader;
  /** Selects outputs by their line of JSON; absent: all outputs. */
  readonly matches?: ((line: string) => boolean) | undefined;
};

/** A run's stored outputs as text in the format wanted. The chunks are whole lines, in row order. */
export async function* outputText(
  chunks: AsyncIterable<RowLines>,
  format: OutputFormat,
  { reader, matches }: OutputTextOptions = {},
): AsyncGenerator<string> {
  const writer = createOutputWriter(format, reader);
  for await (const chunk of chunks) {
    const lines = linesOf(chunk);
    yield writer.push(matches === undefined ? lines : lines.filter(({ json }) => matches(json)));
  }
  yield writer.end();
}

function linesOf(chunk: RowLines): OutputLine[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(chunk.bytes);
  invariant(text === '' || text.endsWith('\n'), 'outputs come in whole lines');
  return text
    .split('\n')
    .slice(0, -1)
    .map((json, index) => ({ row: rowNumberAt(chunk, index), json }));
}
