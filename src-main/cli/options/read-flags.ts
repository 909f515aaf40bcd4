// Flags that say how a file of rows is read, and the line that says how it was.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../base/app-error.ts';
import {
  parseReadOptions,
  writtenReadOptions,
  type ReadOptions,
} from '../../domain/rows/files/read-options.ts';
import { storedReading } from '../../domain/run/stored-reading.ts';
import { decidedBy, remarkLine, type ReadReport } from '../../domain/rows/files/read-remarks.ts';
import { UsageError } from '../exit-code.ts';
import { printable } from '../format.ts';

export type ReadFlags = {
  readonly delimiter?: string;
  readonly quote?: string;
  readonly header?: string;
  readonly encoding?: string;
  readonly decimal?: string;
  readonly dates?: string;
  readonly skip?: string;
  readonly sheet?: string;
  readonly strict?: true;
};

/** Adds the flags to a command that has `--rows`. */
export const addReadFlags = (command: Command): Command =>
  command
    .option('--sheet <name>', 'sheet of the workbook, if it has several')
    .option('--header <line>', 'line that names the columns, such as 3, lines such as 1-2, or none')
    .option('--delimiter <character>', 'character between cells, or tab')
    .option('--quote <character>', 'character around cells: ", \' or none')
    .option('--encoding <name>', 'encoding of the text, such as windows-1252, or mixed')
    .option('--decimal <mark>', '. or , before decimals; the other one groups digits')
    .option('--dates <order>', 'make ISO texts of dates in this order: dmy, mdy or ymd')
    .option('--skip <lines>', 'leave out lines with fewer cells than the header: short, more: long, or both')
    .option('--strict', 'refuse the file where a decision about it is more than plain');

/** The options that the flags give. Throws a UsageError that names the flag and what it may be. */
export function readOptionsOf(flags: ReadFlags): ReadOptions {
  const { delimiter, quote, header, encoding, decimal, dates, skip, sheet, strict } = flags;
  const written = { delimiter, quote, header, encoding, decimal, dates, skip, sheet, strict };
  try {
    return parseReadOptions(
      Object.fromEntries(
        Object.entries(written).filter((entry): entry is [string, string | true] => entry[1] !== undefined),
      ),
    );
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(`--${error.message}`);
    throw error;
  }
}

/** Throws a UsageError for options without a file that they are about. */
export function assertNoReadFlags(options: ReadOptions): void {
  const [name] = Object.keys(options);
  if (name !== undefined)
    throw new UsageError(`--${name} says how a file is read: name the file with --rows`);
}

/** One line about how the file was read, with the flags that say the same; empty if there is nothing to say. */
export function readingText(file: string, report: ReadReport | undefined): string {
  if (report === undefined || report.remarks.length === 0) return '';
  const name = file === '-' ? 'standard input' : file;
  return `${printable(`${remarkLine(name, report)}${decidedBy(flagsOf(report), report)}`)}\n`;
}

/** How the file was read, as a field of a result that is printed as JSON; empty if no file was read. */
export const readingField = (
  file: string,
  report: ReadReport | undefined,
): { readonly readAs?: ReturnType<typeof storedReading> } =>
  report === undefined
    ? {}
    : { readAs: storedReading(file === '-' ? 'standard input' : basename(file), report) };

/** The flags of the decisions that are remarked. */
function flagsOf({ readAs, remarks }: ReadReport): string {
  const decided = new Set(remarks.map(({ option }) => option));
  return Object.entries(writtenReadOptions(readAs))
    .filter(([name]) => decided.has(name as keyof ReadOptions))
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${shellWord(String(value))}`))
    .join(' ');
}

/** The value as a shell takes it. */
function shellWord(value: string): string {
  if (/^[\w.,-]+$/.test(value)) return value;
  return value.includes('"') ? `'${value.replaceAll("'", `'"'"'`)}'` : `"${value}"`;
}
