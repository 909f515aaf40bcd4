// Reads and writes blocks of cells in the clipboard format of spreadsheets: tabs between cells, a line for each row, and
// quotes around a cell that contains tabs, line breaks or quotes.

export type Delimiter = '\t' | ';' | ',';

/** Never fails: a quote that is not closed properly is an ordinary character. */
export function parseTsv(text: string, delimiter: Delimiter = '\t'): string[][] {
  const trimmed = text.replace(/\r\n$|[\r\n]$/, '');
  if (trimmed === '') return [];
  if (!trimmed.includes('"')) return trimmed.split(/\r\n|\r|\n/).map((line) => line.split(delimiter));
  const records: string[][] = [];
  for (let at = 0; at <= trimmed.length;) {
    const record = readRecord(trimmed, at, delimiter);
    records.push(record.cells);
    at = record.next;
  }
  return records;
}

function readRecord(
  text: string,
  from: number,
  delimiter: Delimiter,
): { readonly cells: string[]; readonly next: number } {
  const cells: string[] = [];
  for (let at = from; ;) {
    const cell = quotedCell(text, at, delimiter) ?? plainCell(text, at, delimiter);
    cells.push(cell.value);
    if (text[cell.end] !== delimiter) return { cells, next: afterLineBreak(text, cell.end) };
    at = cell.end + 1;
  }
}

type Found = { readonly value: string; /** Index after the cell. */ readonly end: number };

function plainCell(text: string, from: number, delimiter: Delimiter): Found {
  const cellEnd = cellEnds[delimiter];
  cellEnd.lastIndex = from;
  const end = cellEnd.exec(text)?.index ?? text.length;
  return { value: text.slice(from, end), end };
}

const cellEnds: Readonly<Record<Delimiter, RegExp>> = { '\t': /[\t\r\n]/g, ';': /[;\r\n]/g, ',': /[,\r\n]/g };

function quotedCell(text: string, from: number, delimiter: Delimiter): Found | undefined {
  if (text[from] !== '"') return undefined;
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return undefined;
  const end = close + 1;
  const isClosed = end === text.length || [delimiter, '\r', '\n'].includes(text.charAt(end));
  return isClosed ? { value: text.slice(from + 1, close).replaceAll('""', '"'), end } : undefined;
}

const afterLineBreak = (text: string, at: number): number =>
  text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1;

/** The cells as TSV; `parseTsv` reads it back exactly if a line break follows. A lone empty cell gives empty text. */
export function writeTsv(records: readonly (readonly string[])[]): string {
  return records.map((cells) => cells.map(quotedWhereNeeded).join('\t')).join('\n');
}

const quotedWhereNeeded = (cell: string): string =>
  /[\t\r\n]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
