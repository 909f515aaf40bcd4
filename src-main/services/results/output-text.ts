// A run's outputs as a file with no other columns. Who calls: `rowbench run` and `rowbench export`.
import { invariant } from '../../base/invariant.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { createOutputWriter, type OutputFormat } from '../../domain/rows/export/output-writer.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import { parseInOrder } from '../../domain/rows/name-order.ts';
import { ExportSurvey } from './export-survey.ts';

/**
 * A run's stored outputs as text. CSV reads them twice: its header has the fields of all outputs, in the order in which
 * they first occur. Throws `invalid_input` before the first piece for more fields than CSV holds.
 * @param read starts at the first row each time; its chunks are whole lines, in row order
 */
export async function* outputText(
  read: () => AsyncIterable<RowLines>,
  format: OutputFormat,
): AsyncGenerator<string> {
  const writer = createOutputWriter(format, format === 'csv' ? await fieldsOf(read()) : []);
  for await (const chunk of read()) yield writer.push(linesOf(chunk));
  yield writer.end();
}

async function fieldsOf(chunks: AsyncIterable<RowLines>): Promise<readonly string[]> {
  const survey = new ExportSurvey({ format: 'csv' });
  for await (const chunk of chunks)
    for (const line of linesOf(chunk))
      if (line !== '') survey.add({ number: survey.rows + 1, output: parseInOrder(line) as JsonObject });
  return survey.fields.output;
}

function linesOf({ bytes }: RowLines): readonly string[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  invariant(text === '' || text.endsWith('\n'), 'outputs come in whole lines');
  return text.split('\n').slice(0, -1);
}
