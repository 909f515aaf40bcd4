// An export as text, for each format: from columns and rows of values to pieces of a file.
import { assertNever } from '../../../base/invariant.ts';
import type { JsonValue } from '../../../base/json-value.ts';
import { csvHeader, csvLine } from './csv-line.ts';
import type { ExportFormat, ExportOptions } from './export-options.ts';
import { sheetEnd, sheetRow, sheetStart } from './sheet-xml.ts';

/** The value of a row in each column; undefined where the row has none. */
type TableRow = readonly (JsonValue | undefined)[];

/** Each method returns the text to append. */
export interface TableWriter {
  start(): string;
  row(values: TableRow): string;
  end(): string;
}

type WriterOptions = Pick<ExportOptions, 'format' | 'delimiter' | 'bom'>;

const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;

export const fileTypes: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** For `xlsx`, the text is that of the sheet in the workbook. */
export function createTableWriter(
  names: readonly string[],
  { format, delimiter = 'comma', bom = false }: WriterOptions,
): TableWriter {
  switch (format) {
    case 'csv': {
      const mark = delimiters[delimiter];
      return {
        start: () => (bom ? '\uFEFF' : '') + csvHeader(names, mark),
        row: (values) =>
          csvLine(
            values.map((value) => value ?? null),
            mark,
            names,
          ),
        end: () => '',
      };
    }
    case 'ndjson':
      return { start: () => '', row: (values) => `${objectText(names, values)}\n`, end: () => '' };
    case 'json':
      return new JsonTableWriter(names);
    case 'xlsx':
      return new SheetWriter(names);
    default:
      return assertNever(format);
  }
}

class JsonTableWriter implements TableWriter {
  readonly #names: readonly string[];
  #lead = '[\n';

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  start(): string {
    return '';
  }

  row(values: TableRow): string {
    const text = this.#lead + objectText(this.#names, values);
    this.#lead = ',\n';
    return text;
  }

  end(): string {
    return this.#lead === '[\n' ? '[]\n' : '\n]\n';
  }
}

class SheetWriter implements TableWriter {
  readonly #names: readonly string[];
  #row = 1;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  start(): string {
    return sheetStart + sheetRow(1, this.#names, { isHeader: true });
  }

  row(values: TableRow): string {
    this.#row += 1;
    return sheetRow(this.#row, values);
  }

  end(): string {
    return sheetEnd;
  }
}

/** Built as text, so that the order of the columns is the order of the keys and no name is special. */
function objectText(names: readonly string[], values: TableRow): string {
  const members = names.flatMap((name, index) => {
    const value = values[index];
    return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
  });
  return `{${members.join(',')}}`;
}
