// A run's outputs as a file: from the stored lines (one JSON object a row, empty for a row without output) to
// JSON, NDJSON or CSV, a piece at a time.
import { assertNever, invariant } from '../../base/invariant.ts';
import { csvLine } from './csv-line.ts';
import type { JsonObject } from '../../base/json-value.ts';

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
 * output. CSV: a header from the first output, then the rows that have an output.
 */
export function createOutputWriter(format: OutputFormat): OutputWriter {
  switch (format) {
    case 'json':
      return new JsonWriter();
    case 'ndjson':
      return {
        push: (lines) => lines.map((line) => `${orNull(line)}\n`).join(''),
        end: () => '',
      };
    case 'csv':
      return new CsvWriter();
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

class CsvWriter implements OutputWriter {
  #columns: readonly string[] | undefined;

  push(lines: readonly string[]): string {
    return lines
      .filter((json) => json !== '')
      .map((json) => this.#record(JSON.parse(json) as JsonObject))
      .join('');
  }

  end(): string {
    return '';
  }

  #record(output: JsonObject): string {
    const header = this.#columns === undefined ? csvLine(Object.keys(output)) : '';
    this.#columns ??= Object.keys(output);
    invariant(
      Object.keys(output).length === this.#columns.length,
      'every output of a run has the fields of its output nodes',
    );
    return header + csvLine(this.#columns.map((column) => ownValue(output, column)));
  }
}

const ownValue = (output: JsonObject, name: string) => {
  invariant(Object.hasOwn(output, name), 'every output of a run has the fields of its output nodes');
  return output[name] ?? null;
};
