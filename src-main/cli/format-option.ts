import { Option } from 'commander';
import { outputFormatOfName, outputFormats, type OutputFormat } from '../domain/rows/output-writer.ts';
import { UsageError } from './exit-code.ts';

export type OutputOptions = { readonly format?: OutputFormat; readonly out?: string };

/** `--format`, for every command that gives outputs. */
export const formatOption = (): Option =>
  new Option('--format <format>', 'format of the outputs (default: by --out, else json)').choices(
    outputFormats,
  );

/** The format named, else the one that the output file's name tells. Throws a UsageError where that tells none. */
export function formatOf({ format, out }: OutputOptions): OutputFormat {
  if (format !== undefined) return format;
  if (out === undefined) return 'json';
  const byName = outputFormatOfName(out);
  if (byName !== undefined) return byName;
  throw new UsageError(
    `the name "${out}" tells no format: end it in .json, .ndjson, .jsonl or .csv, or name one with --format`,
  );
}
