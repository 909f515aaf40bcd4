// A run's outputs as a file: from the stored lines (one JSON object a row, empty for a row without output) to
// JSON, NDJSON or CSV, a piece at a time.
import { assertNever } from '../../../base/invariant.ts';
import { csvHeader, csvLine } from './csv-line.ts';
import type { JsonObject } from '../../../base/json-value.ts';

export const outputFormats = ['json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const isOutputFormat = (format: string): format is OutputFormat =>
  outputFormats.some((known) => known === format);

/** By the file's extension; undefined when that says nothing. */
export const outputFormatOfName = (fileName: string): OutputFormat | undefined => {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return extension === 'jsonl' ? 'ndjson' : outputFormats.find((format) => format === extension);
};

/** Takes lines of JSON in row order, an empty one for a row without output; both methods return the text to append. */
export interface OutputWriter {
  push(lines: readonly string[]): string;
  end(): string;
}

/**
 * JSON: a list with one element a row, in row order. NDJSON: line n is row n. Both hold `null` for a row without
 * output. CSV: a header, then the rows that have an output.
 * @param columns of CSV: the fields of all outputs
 */
export function createOutputWriter(format: OutputFormat, columns: readonly string[]): OutputWriter {
  switch (format) {
    case 'json':
      return new JsonWriter();
    case 'ndjson':
      return {
        push: (lines) => lines.map((line) => `${orNull(line)}\n`).join(''),
        end: () => '',
      };
    case 'csv':
      return new CsvWriter(columns);
    default:
      return assertNever(format);
  }
}

const orNull = (json: string): string => (json === '' ? 'null' : json);

class JsonWriter implements OutputWriter {
  #lead = '[\n';

  push(lines: readonly string[]): string {
    let text = '';
    for (const line of lines) {
      text += this.#lead + orNull(line);
      this.#lead = ',\n';
    }
    return text;
  }

  end(): string {
    return this.#lead === '[\n' ? '[]\n' : '\n]\n';
  }
}

/** Writes nothing at all if no row has an output. */
class CsvWriter implements OutputWriter {
  readonly #columns: readonly string[];
  #hasHeader = false;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  push(lines: readonly string[]): string {
    const records = lines.filter((json) => json !== '').map((json) => this.#record(json));
    if (records.length === 0) return '';
    const header = this.#hasHeader ? '' : csvHeader(this.#columns);
    this.#hasHeader = true;
    return header + records.join('');
  }

  end(): string {
    return '';
  }

  #record(json: string): string {
    const output = JSON.parse(json) as JsonObject;
    return csvLine(
      this.#columns.map((column) => (Object.hasOwn(output, column) ? (output[column] ?? null) : null)),
      ',',
      this.#columns,
    );
  }
}
