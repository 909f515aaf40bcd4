// The rows of a test, or the test rows of a workflow, as a file names them: a list, or a file beside it.
import { z } from 'zod';
import { AppError } from '../../base/app-error.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { parseReadOptions, type ReadOptions } from '../rows/files/read-options.ts';
import { fieldKind } from './field-kind.ts';
import { siblingPath } from './sibling-path.ts';
import { jsonObjectSlot, refuse } from './slot-problems.ts';

/** A file of rows, and how it is read. */
export type FileOfRows = {
  /** Path from the folder of the naming file on. */
  readonly file: string;
  readonly read: ReadOptions;
};

export type RowsSource = readonly JsonObject[] | FileOfRows;

/** The file of rows; undefined for rows that are listed. */
export const rowsFileOf = (rows: RowsSource | undefined): FileOfRows | undefined =>
  rows === undefined || !('file' in rows) ? undefined : rows;

const fileWithOptions = z.strictObject({
  file: siblingPath.describe('The file.'),
  delimiter: z.string().exactOptional().describe('The character between cells, or `tab`.'),
  quote: z.enum(['"', "'", 'none']).exactOptional().describe('The character around cells.'),
  header: z
    .union([z.int().min(1), z.string()])
    .exactOptional()
    .describe('The line that names the columns, such as `3`, lines such as `1-2`, or `none`.'),
  encoding: z.string().exactOptional().describe('The encoding, such as `windows-1252`, or `mixed`.'),
  decimal: z
    .enum(['.', ','])
    .exactOptional()
    .describe('The mark before decimals; the other one groups digits.'),
  dates: z
    .enum(['dmy', 'mdy', 'ymd'])
    .exactOptional()
    .describe('The order of day, month and year: dates in this order become ISO text.'),
  skip: z
    .enum(['short', 'long', 'both'])
    .exactOptional()
    .describe(
      'Lines that are left out: those with fewer cells than the header (`short`), more (`long`), or `both`.',
    ),
  sheet: z.string().exactOptional().describe('The sheet of a workbook.'),
  strict: z
    .boolean()
    .exactOptional()
    .describe('Whether a file that needs a remark is refused. Default: false.'),
});

/** A list of rows, the name of a file, or a file with the options of reading. */
export const rowsSource = z.union([
  siblingPath.meta({ title: 'A file' }).transform((file): FileOfRows => ({ file, read: {} })),
  fileWithOptions
    .meta({ title: 'A file and how it is read' })
    .transform(({ file, ...written }, context): FileOfRows => {
      try {
        return { file, read: parseReadOptions(written) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const [name = ''] = error.message.split(' ');
        return refuse(context, [{ message: error.message, path: [name] }]);
      }
    }),
  z
    .array(jsonObjectSlot('Expected a row: names with values').meta(fieldKind('json')))
    .meta({ title: 'A list of rows' }),
]);
