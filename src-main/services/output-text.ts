import { createOutputWriter, type OutputFormat } from '../domain/rows/output-writer.ts';

/** A run's stored outputs as text in the format wanted. The chunks are whole lines, in row order. */
export async function* outputText(
  chunks: AsyncIterable<{ readonly bytes: Uint8Array }>,
  format: OutputFormat,
): AsyncGenerator<string> {
  const writer = createOutputWriter(format);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const { bytes } of chunks) yield writer.push(decoder.decode(bytes));
  yield writer.end();
}
