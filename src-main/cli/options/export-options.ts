// Options of `rowbench export`: which columns and rows the file has, and how it is written.
import { Option, type Command } from 'commander';
import {
  exportDelimiters,
  exportFormatOfName,
  exportFormats,
  type ExportFormat,
  type ExportOptions,
} from '../../domain/rows/export/export-options.ts';
import { UsageError } from '../exit-code.ts';

export type ExportCommandOptions = {
  readonly format?: ExportFormat;
  readonly out?: string;
  readonly input?: boolean;
  readonly failed?: boolean;
  readonly latest?: boolean;
  readonly column?: readonly string[];
  readonly explode?: string;
  readonly text?: string;
  readonly delimiter?: (typeof exportDelimiters)[number];
  readonly bom?: boolean;
};

export const addExportOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--format <format>', 'format of the file (default: by --out, else json)').choices(
        exportFormats,
      ),
    )
    .option('--out <file>', 'write to this file, whole or not at all')
    .option('--input', 'add the fields of the rows, as input.NAME')
    .option('--failed', 'add the rows that failed, with the node and its message')
    .option('--latest', 'take the newest output of each row, over all attempts of the chain of this run')
    .option('--column <name...>', 'only these columns, such as row, input.email, score or failed.message')
    .option('--explode <field>', 'one line for each entry of this list of the output')
    .option('--text <text>', 'only rows whose output, or message of failure, has this text')
    .addOption(new Option('--delimiter <mark>', 'mark between the cells of CSV').choices(exportDelimiters))
    .option('--bom', 'begin CSV with a byte order mark, for Excel');

/** Throws a UsageError if the options do not fit together. */
export function exportOptionsOf(options: ExportCommandOptions): ExportOptions {
  const { input, failed, latest, column, explode, text, delimiter, bom } = options;
  const format = formatOf(options);
  if (format !== 'csv' && (delimiter !== undefined || bom === true))
    throw new UsageError('--delimiter and --bom are options of CSV');
  if (format === 'xlsx' && options.out === undefined)
    throw new UsageError('an Excel workbook is written to a file: name one with --out');
  if (text === '') throw new UsageError('--text needs a text');
  const columns = { inputColumns: input, failedRows: failed, latest, columns: column, explode };
  const chosen = { ...columns, text, delimiter, bom };
  const set = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return { format, ...(Object.fromEntries(set) as Omit<ExportOptions, 'format'>) };
}

function formatOf({ format, out }: ExportCommandOptions): ExportFormat {
  if (format !== undefined) return format;
  if (out === undefined) return 'json';
  const byName = exportFormatOfName(out);
  if (byName !== undefined) return byName;
  throw new UsageError(
    `the name "${out}" tells no format: end it in .xlsx, .csv, .json, .ndjson or .jsonl, or name one with --format`,
  );
}
