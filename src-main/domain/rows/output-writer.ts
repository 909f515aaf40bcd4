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

export type OutputLine = {
  /** Its number. */
  readonly row: number;
  /** Empty for a row without output. */
  readonly json: string;
};

/** Takes lines in row order; both methods answer with the text to append. */
export interface OutputWriter {
  push(lines: readonly OutputLine[]): string;
  end(): string;
}

/**
 * Whom CSV is written for: `programs` get the outputs alone, `people` open it in a spreadsheet, so that it begins with
 * a mark that tells Excel it is UTF-8, and each row with its number.
 */
export type CsvReader = 'programs' | 'people';

/**
 * JSON: a list with one element a row, in row order. NDJSON: line n is row n. Both hold `null` for a row without
 * output. CSV: a header from the first output, then the rows that have an output.
 */
export function createOutputWriter(format: OutputFormat, reader: CsvReader = 'programs'): OutputWriter {
  switch (format) {
    case 'json':
      return new JsonWriter();
    case 'ndjson':
      return {
        push: (lines) => lines.map((line) => `${orNull(line)}\n`).join(''),
        end: () => '',
      };
    case 'csv':
      return new CsvWriter(reader);
    default:
      return assertNever(format);
  }
}

const orNull = ({ json }: OutputLine): string => (json === '' ? 'null' : json);

class JsonWriter implements OutputWriter {
  #lead = '[\n';

  push(lines: readonly OutputLine[]): string {
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

const byteOrderMark = '\uFEFF';

class CsvWriter implements OutputWriter {
  readonly #isForPeople: boolean;
  #columns: readonly string[] | undefined;

  constructor(reader: CsvReader) {
    this.#isForPeople = reader === 'people';
  }

  push(lines: readonly OutputLine[]): string {
    return lines
      .filter(({ json }) => json !== '')
      .map(({ row, json }) => this.#record(row, JSON.parse(json) as JsonObject))
      .join('');
  }

  end(): string {
    return '';
  }

  #record(row: number, output: JsonObject): string {
    const header = this.#columns === undefined ? this.#header(Object.keys(output)) : '';
    this.#columns ??= Object.keys(output);
    invariant(
      Object.keys(output).length === this.#columns.length,
      'every output of a run has the fields of its output nodes',
    );
    const cells = this.#columns.map((column) => ownValue(output, column));
    return header + csvLine(this.#isForPeople ? [row, ...cells] : cells);
  }

  #header(columns: readonly string[]): string {
    return this.#isForPeople ? byteOrderMark + csvLine([rowColumn(columns), ...columns]) : csvLine(columns);
  }
}

/** A name that no column has. */
function rowColumn(columns: readonly string[]): string {
  let name = 'row';
  while (columns.includes(name)) name = `_${name}`;
  return name;
}

const ownValue = (output: JsonObject, name: string) => {
  invariant(Object.hasOwn(output, name), 'every output of a run has the fields of its output nodes');
  return output[name] ?? null;
};
