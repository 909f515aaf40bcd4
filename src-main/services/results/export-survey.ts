// The first pass of an export. It finds the fields of rows and outputs, and values that the format cannot hold.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { count } from '../../domain/format.ts';
import { explodedRow } from '../../domain/rows/export/explode-row.ts';
import type { ExportColumn, ExportFields, ExportRow } from '../../domain/rows/export/export-columns.ts';
import { maxExportColumns, type ExportOptions } from '../../domain/rows/export/export-options.ts';
import { sheetCellText, maxCellLength, maxWorksheetRows } from '../../domain/rows/export/sheet-xml.ts';
import { namesInOrder } from '../../domain/rows/name-order.ts';
import { explodedFieldUnknown, exportTooLarge, exportTooWide } from '../../domain/run-errors.ts';

type LongCell = { readonly row: number; readonly length: number };
/** The fields in the order in which they first occur, each with its first value that no cell can hold. */
type Fields = Map<string, LongCell | undefined>;

type FieldGroup = Exclude<ExportColumn['of'], 'row' | 'entryNumber'>;

export class ExportSurvey {
  readonly #isSheet: boolean;
  readonly #fields: Readonly<Record<FieldGroup, Fields>> = {
    input: new Map(),
    output: new Map(),
    entry: new Map(),
    entryField: new Map(),
    failure: new Map(),
  };
  readonly #explode: string | undefined;
  #rows = 0;
  #lines = 0;

  constructor({ format, explode }: Pick<ExportOptions, 'format' | 'explode'>) {
    this.#isSheet = format === 'xlsx';
    this.#explode = explode;
  }

  /** Rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Lines so far: as many as rows, or with one line per entry at least as many. */
  get lines(): number {
    return this.#lines;
  }

  get fields(): ExportFields {
    const { input, output, entry, entryField } = this.#fields;
    return {
      input: [...input.keys()],
      output: [...output.keys()],
      ...(this.#explode !== undefined && {
        entries: { fields: [...entryField.keys()], hasValues: entry.size > 0 },
      }),
    };
  }

  /** Throws `invalid_input` for too many fields, and for a row whose exploded field is not a list. */
  add(row: ExportRow): void {
    const { number, input, output, failure } = row;
    this.#rows += 1;
    if (this.#explode === undefined) this.#lines += 1;
    else this.#addEntries(row, this.#explode);
    if (input !== undefined) this.#addFields('input', number, input);
    if (output !== undefined) this.#addFields('output', number, output);
    if (failure !== undefined) {
      const { nodeId, message } = failure;
      this.#addFields('failure', number, { nodeId, message });
    }
    if (this.#fields.input.size + this.#fields.output.size + this.#fields.entryField.size > maxExportColumns)
      throw exportTooWide(maxExportColumns);
  }

  /** Throws `invalid_input` if no output has the field that gives one line per entry. */
  assertField(): void {
    const { output } = this.#fields;
    if (this.#explode !== undefined && !output.has(this.#explode))
      throw explodedFieldUnknown(this.#explode, [...output.keys()]);
  }

  /** Throws `invalid_input` if the format cannot hold all lines with these columns. */
  assertFits(columns: readonly ExportColumn[]): void {
    if (!this.#isSheet) return;
    if (this.#lines >= maxWorksheetRows)
      throw exportTooLarge(
        `An Excel sheet holds ${count(maxWorksheetRows - 1)} rows, and these are ${count(this.#lines)}`,
      );
    if (columns.length > maxExportColumns)
      throw exportTooLarge(`An Excel sheet holds ${count(maxExportColumns)} columns`);
    for (const { name, of, field } of columns) {
      const long = of === 'row' || of === 'entryNumber' ? undefined : this.#fields[of].get(field);
      if (long !== undefined)
        throw exportTooLarge(
          `A cell of Excel holds ${count(maxCellLength)} characters, and "${name}" of row ${long.row} has ${count(long.length)}`,
        );
      if (name.length > maxCellLength)
        throw exportTooLarge(
          `A cell of Excel holds ${count(maxCellLength)} characters, and a column's name is longer`,
        );
    }
  }

  #addEntries(row: ExportRow, explode: string): void {
    for (const { entry } of explodedRow(row, explode)) {
      this.#lines += 1;
      if (entry === undefined) continue;
      const { number } = row;
      if (isJsonObject(entry.value)) this.#addFields('entryField', number, entry.value);
      else this.#addFields('entry', number, { [explode]: entry.value });
    }
  }

  #addFields(of: FieldGroup, row: number, values: JsonObject): void {
    const fields = this.#fields[of];
    for (const name of namesInOrder(values)) {
      const known = fields.get(name);
      if (known !== undefined) continue;
      const length = this.#isSheet ? lengthOf(values[name]) : 0;
      if (length > maxCellLength) fields.set(name, { row, length });
      else if (!fields.has(name)) fields.set(name, undefined);
    }
  }
}

const lengthOf = (value: JsonValue | undefined): number =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? sheetCellText(value).length
    : 0;
