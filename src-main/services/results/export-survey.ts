// The first pass of an export. It finds the fields of rows and outputs, and values that the format cannot hold.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { count } from '../../domain/format.ts';
import type { ExportColumn, ExportFields, ExportRow } from '../../domain/rows/export/export-columns.ts';
import { maxExportColumns, type ExportFormat } from '../../domain/rows/export/export-options.ts';
import { sheetCellText, maxCellLength, maxWorksheetRows } from '../../domain/rows/export/sheet-xml.ts';
import { namesInOrder } from '../../domain/rows/name-order.ts';
import { exportTooLarge, exportTooWide } from '../../domain/run-errors.ts';

type LongCell = { readonly row: number; readonly length: number };
/** The fields in the order in which they first occur, each with its first value that no cell can hold. */
type Fields = Map<string, LongCell | undefined>;

type FieldGroup = Exclude<ExportColumn['of'], 'row'>;

export class ExportSurvey {
  readonly #isSheet: boolean;
  readonly #fields: Readonly<Record<FieldGroup, Fields>> = {
    input: new Map(),
    output: new Map(),
    failure: new Map(),
  };
  #rows = 0;

  constructor(format: ExportFormat) {
    this.#isSheet = format === 'xlsx';
  }

  /** Rows so far. */
  get rows(): number {
    return this.#rows;
  }

  get fields(): ExportFields {
    const { input, output } = this.#fields;
    return { input: [...input.keys()], output: [...output.keys()] };
  }

  /** Throws `invalid_input` for too many fields. */
  add({ number, input, output, failure }: ExportRow): void {
    this.#rows += 1;
    if (input !== undefined) this.#addFields('input', number, input);
    if (output !== undefined) this.#addFields('output', number, output);
    if (failure !== undefined) {
      const { nodeId, message } = failure;
      this.#addFields('failure', number, { nodeId, message });
    }
    if (this.#fields.input.size + this.#fields.output.size > maxExportColumns)
      throw exportTooWide(maxExportColumns);
  }

  /** Throws `invalid_input` if the format cannot hold all rows with these columns. */
  assertFits(columns: readonly ExportColumn[]): void {
    if (!this.#isSheet) return;
    if (this.#rows >= maxWorksheetRows)
      throw exportTooLarge(
        `An Excel sheet holds ${count(maxWorksheetRows - 1)} rows, and these are ${count(this.#rows)}`,
      );
    if (columns.length > maxExportColumns)
      throw exportTooLarge(`An Excel sheet holds ${count(maxExportColumns)} columns`);
    for (const { name, of, field } of columns) {
      const long = of === 'row' ? undefined : this.#fields[of].get(field);
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
