// What an export of a run holds. The app's dialog, the download route and `rowbench export` share these options.
import { z } from 'zod';
import { outputFormatOfName, outputFormats } from './output-writer.ts';

export const exportFormats = [...outputFormats, 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** By the file's extension; undefined when that says nothing. */
export const exportFormatOfName = (fileName: string): ExportFormat | undefined =>
  /\.xlsx$/i.test(fileName) ? 'xlsx' : outputFormatOfName(fileName);

export const exportDelimiters = ['comma', 'semicolon', 'tab'] as const;

/** Maximum columns of a sheet, and of any export. */
export const maxExportColumns = 16_384;

export const exportOptionsSchema = z.strictObject({
  format: z.enum(exportFormats),
  /**
   * Adds a column with the number of each row. Default: if input columns, failed rows, latest answers or one line per entry
   * are exported.
   */
  rowNumbers: z.boolean().exactOptional(),
  /** Adds the fields of the rows as columns `input.NAME`. */
  inputColumns: z.boolean().exactOptional(),
  /** Adds the rows that failed, with the node and its message. */
  failedRows: z.boolean().exactOptional(),
  /** Takes the newest output of each row over the attempts of the run's chain. */
  latest: z.boolean().exactOptional(),
  /** Names of the columns in their order. Default: all columns that the other options add. */
  columns: z.array(z.string().max(1_100)).max(maxExportColumns).exactOptional(),
  /** Delimiter of CSV. Default: comma. */
  delimiter: z.enum(exportDelimiters).exactOptional(),
  /** Begins CSV with a byte order mark, by which Excel recognizes UTF-8. */
  bom: z.boolean().exactOptional(),
  /** Exports only rows whose output, or message of failure, has this text. */
  text: z.string().min(1).exactOptional(),
  /**
   * Output field whose list gives one line per entry. The column `entry` numbers the lines of a row; fields of entries
   * are columns `FIELD.NAME`.
   */
  explode: z.string().max(1_000).exactOptional(),
});
export type ExportOptions = z.infer<typeof exportOptionsSchema>;
