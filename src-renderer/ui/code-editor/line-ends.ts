// The bytes of a file that the editor's document does not hold: a byte order mark, and which line breaks are CRLF. The
// document has one character per line break. With this record it is written byte for byte as it was read, in files with
// mixed line breaks too. A carriage return alone is a character of its line, as for the server's parser.
import { Text } from '@codemirror/state';

type Separator = '\n' | '\r\n';

export type LineEnds = {
  readonly hasBom: boolean;
  /** The line break that new lines get: the file's most frequent one. */
  readonly main: Separator;
  /** Offsets in the document of the line breaks that are not the main one, in ascending order. */
  readonly others: readonly number[];
};

type FileContent = { readonly doc: Text; readonly lineEnds: LineEnds };

const bom = '\uFEFF';

/** The document of a text, and what else the text has. */
export function readFileText(text: string): FileContent {
  const hasBom = text.startsWith(bom);
  const { plain, breaks } = splitBreaks(hasBom ? text.slice(1) : text);
  const crlf = breaks.filter(({ separator }) => separator === '\r\n').length;
  const main: Separator = crlf * 2 > breaks.length ? '\r\n' : '\n';
  const others = breaks.filter(({ separator }) => separator !== main).map(({ at }) => at);
  return { doc: toDocument(plain), lineEnds: { hasBom, main, others } };
}

/** The text of the whole file. */
export function writeFileText(doc: Text, lineEnds: LineEnds): string {
  return (lineEnds.hasBom ? bom : '') + writePart(doc, lineEnds, { from: 0, to: doc.length });
}

/** The text of a range of the document, as it stands in the file. */
export function writePart(
  doc: Text,
  { main, others }: LineEnds,
  range: { from: number; to: number },
): string {
  const other = main === '\n' ? '\r\n' : '\n';
  let written = '';
  let { from } = range;
  for (let n = countBelow(others, range.from); n < others.length; n += 1) {
    const at = others[n] ?? 0;
    if (at >= range.to) break;
    written += doc.sliceString(from, at, main) + other;
    from = at + 1;
  }
  return written + doc.sliceString(from, range.to, main);
}

/** Where an offset of the document is in the file. */
export function toFileOffset(doc: Text, { hasBom, main, others }: LineEnds, at: number): number {
  const before = countBelow(others, at);
  const crlf = main === '\n' ? before : doc.lineAt(at).number - 1 - before;
  return at + crlf + (hasBom ? 1 : 0);
}

/** Where an offset of the file is in the document. One inside a CRLF is at the end of the line. */
export function toDocOffset(doc: Text, lineEnds: LineEnds, offset: number): number {
  const startOf = (line: number): number => toFileOffset(doc, lineEnds, doc.line(line).from);
  let low = 1;
  let high = doc.lines;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (startOf(middle) <= offset) low = middle;
    else high = middle - 1;
  }
  const line = doc.line(low);
  return line.from + Math.min(Math.max(0, offset - startOf(low)), line.length);
}

type LineBreak = { readonly at: number; readonly separator: Separator };

/** A text with `\n` as its only line break, and the breaks that it had, by their offsets in that text. */
export function splitBreaks(text: string): { readonly plain: string; readonly breaks: readonly LineBreak[] } {
  const lines = text.split(/(\r?\n)/);
  const breaks: LineBreak[] = [];
  let at = 0;
  for (let n = 0; n + 1 < lines.length; n += 2) {
    at += lines[n]?.length ?? 0;
    breaks.push({ at, separator: lines[n + 1] === '\r\n' ? '\r\n' : '\n' });
    at += 1;
  }
  return { plain: lines.map((each, n) => (n % 2 === 0 ? each : '\n')).join(''), breaks };
}

/** Not `state.toText`, which takes a carriage return alone for a line break. */
export const toDocument = (plain: string): Text => Text.of(plain.split('\n'));

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
