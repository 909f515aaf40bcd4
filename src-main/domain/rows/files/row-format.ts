/** The forms in which rows can be read. */
export type RowFormat = 'json' | 'ndjson' | 'csv' | 'tsv';

const byExtension: readonly (readonly [RegExp, RowFormat])[] = [
  [/\.(ndjson|jsonl)$/i, 'ndjson'],
  [/\.json$/i, 'json'],
  [/\.csv$/i, 'csv'],
  [/\.(tsv|tab)$/i, 'tsv'],
];

/** By the file's extension, before `.gz` if it has that; undefined when that says nothing. */
export function rowFormatOfName(fileName: string): RowFormat | undefined {
  const name = fileName.replace(/\.gz$/i, '');
  return byExtension.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * By the beginning of the text, which should hold the first line whole. A line that is an object makes NDJSON,
 * but for an object whose first member is `rows`, which is the body of a trigger call.
 */
export function sniffRowFormat(beginning: string): RowFormat {
  const text = beginning.trimStart();
  if (text.startsWith('[')) return 'json';
  const firstLine = text.split(/\r|\n/, 1)[0] ?? '';
  if (text.startsWith('{')) {
    return /^\{\s*"rows"\s*:/.test(text) || !isJson(firstLine) ? 'json' : 'ndjson';
  }
  return firstLine.includes('\t') ? 'tsv' : 'csv';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the object goes on over further lines
  }
}
