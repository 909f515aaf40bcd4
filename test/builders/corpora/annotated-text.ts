// A text file whose dialect people have written down, cut into cells by it: what a reader should find by itself.
import type { Cells } from './load-table.ts';

export type Annotation = {
  readonly encoding: string;
  readonly delimiter: string;
  /** An empty text: none. */
  readonly quote: string;
  readonly isEscaped: boolean;
};

const delimiters: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  vslash: '|',
  space: ' ',
  nsign: '#',
};
const encodings: Readonly<Record<string, string>> = {
  ansi: 'windows-1252',
  utf8: 'utf-8',
  'shif-jis': 'shift-jis',
  ascii: 'utf-8',
};

/** The annotations by file names: lines of name, encoding, delimiter, quote and escape between bars. */
export function annotationsIn(text: string): ReadonlyMap<string, Annotation> {
  const found = new Map<string, Annotation>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [name = '', encoding = '', delimiter = '', quote = '', escape = ''] = line.split('|');
    const character = delimiters[delimiter];
    if (line.startsWith('#') || character === undefined) continue;
    found.set(name, {
      encoding: encodings[encoding] ?? encoding,
      delimiter: character,
      quote: quote === 'singlequote' ? "'" : quote === '' ? '' : '"',
      isEscaped: escape === 'backslash',
    });
  }
  return found;
}

/** The text by its annotated encoding, else line by line as UTF-8 or Windows-1252. */
export function annotatedText(bytes: Uint8Array, encoding: string): string {
  const text = decoded(bytes, encoding) ?? decoded(bytes, 'utf-8') ?? mixedText(bytes);
  return text.replace(/^\uFEFF/, '').replaceAll('\0', '');
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  if (encoding === 'utf16') return decoded(bytes, bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le');
  try {
    // Without `stream`, Node 20 reads Windows-1252 as Latin-1.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function mixedText(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at <= bytes.length;) {
    const found = bytes.indexOf(10, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    lines.push(decoded(line, 'utf-8') ?? decoded(line, 'windows-1252') ?? '');
    at = end + 1;
  }
  return lines.join('\n');
}

/** The cells by the annotated dialect, as Python's `csv` reads them. */
export function annotatedCells(text: string, dialect: Annotation, skipsBlanks = false): Cells {
  const { delimiter, quote, isEscaped } = dialect;
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  const endCell = (): void => {
    row.push(cell);
    cell = '';
    state = 'start';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isEscaped && character === '\\') {
      at += 1;
      cell += text[at] ?? '';
      if (state === 'start') state = 'plain';
    } else if (state === 'quoted') {
      if (character === quote) state = 'closed';
      else cell += character;
    } else if (state === 'closed' && character === quote) {
      cell += quote;
      state = 'quoted';
    } else if (character === delimiter) endCell();
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at += 1;
      endCell();
      rows.push(row);
      row = [];
    } else if (state === 'start' && character === quote) state = 'quoted';
    else if (!(state === 'start' && skipsBlanks && character === ' ')) {
      cell += character;
      state = 'plain';
    }
  }
  if (cell !== '' || row.length > 0 || state !== 'start') {
    row.push(cell);
    rows.push(row);
  }
  return rows;
}

/** Cells without blanks around them, rows without empty cells at their end, and no empty rows. */
export function plainCells(rows: Cells): Cells {
  return rows
    .map((row) => {
      const cells = row.map((cell) =>
        cell
          .replaceAll(/[\uFEFF\0]/g, '')
          .replaceAll('\r\n', '\n')
          .trim(),
      );
      return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
    })
    .filter((row) => row.length > 0);
}
