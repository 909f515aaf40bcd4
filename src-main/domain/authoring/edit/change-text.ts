// A text value that becomes another text: it keeps its way of writing (plain, quotes, block) while that can hold it.
import { isScalar, Scalar } from 'yaml';
import { isBlockText, type EditableFile, type FileEntry, type Located } from './editable-file.ts';
import { layoutOf, type FileLayout } from './layout.ts';
import { scalarUnits, type Unit } from './scalar-units.ts';
import { applyChanges, type TextChange } from './text-changes.ts';
import { escaped, inOneLine, isUnprintable, literalBlock, quoted } from './write-value.ts';

/**
 * Alternatives to write the changed text, the one that touches least first. Not each is right: the caller reads the
 * file again and takes the first that says what it should.
 * @param changes parts of the value; offsets count in the value
 */
export function* textCandidates(
  { entry, parent, around }: Located,
  changes: readonly TextChange[],
): Generator<TextChange[]> {
  const { file } = parent;
  const { value } = entry;
  if (!isScalar(value) || typeof value.value !== 'string') return;
  const units = entry.end > entry.valueStart ? scalarUnits(file.text, value) : undefined;
  const small = changes.flatMap((change) => (units && changeInUnits(file, { value, units }, change)) ?? []);
  if (small.length === changes.length) yield small;
  const text = applyChanges(value.value, changes);
  const layout = layoutOf(file, around, entry.start);
  const options = { layout, isInFlow: around.some(({ isFlow }) => isFlow) };
  const whole = [...blockTexts(file, entry, { text, ...options }), ...lineTexts(value, text, options)];
  yield* whole.map((insert) => [{ from: entry.valueStart, to: entry.end, insert }]);
}

/** The change in the file that makes the change in the value; undefined where the way of writing cannot hold it. */
function changeInUnits(
  file: EditableFile,
  { value, units }: { readonly value: Scalar.Parsed; readonly units: readonly Unit[] },
  { from, to, insert }: TextChange,
): TextChange | undefined {
  const start = fileOffset(units, from);
  const end = fileOffset(units, to);
  if (start === undefined || end === undefined) return undefined;
  if (isBlockText(value)) {
    const firstCharacter = units.find(({ text }) => !text.startsWith('\n'));
    const indent = ' '.repeat(file.column(firstCharacter?.from ?? start));
    const lines = value.type === Scalar.BLOCK_FOLDED ? insert.replaceAll('\n', '\n\n') : insert;
    const indented = lines.replaceAll(/\n(?!\n|$)/g, `\n${indent}`);
    return { from: start, to: end, insert: indented.replaceAll('\n', file.lineBreakAt(start)) };
  }
  if (value.type === Scalar.QUOTE_DOUBLE) return { from: start, to: end, insert: escaped(insert) };
  if (isUnprintable(insert)) return undefined;
  const written = value.type === Scalar.QUOTE_SINGLE ? insert.replaceAll("'", "''") : insert;
  return { from: start, to: end, insert: written };
}

/** Where the character at an offset of the value is written; undefined inside of a unit. */
function fileOffset(units: readonly Unit[], offset: number): number | undefined {
  let at = 0;
  for (const { from, text } of units) {
    if (at === offset && text !== '') return from;
    if (at > offset) return undefined;
    at += text.length;
  }
  return at === offset ? units.at(-1)?.to : undefined;
}

type TextOptions = { readonly layout: FileLayout; readonly isInFlow: boolean };

/** The whole text as a block: where it is one, or where a plain text gets lines. */
function blockTexts(
  file: EditableFile,
  { value, start, valueStart, end }: FileEntry,
  { text, layout, isInFlow }: TextOptions & { readonly text: string },
): string[] {
  if (!isScalar(value) || isInFlow) return [];
  const isBlock = isBlockText(value);
  if (!isBlock && (value.type !== Scalar.PLAIN || !text.includes('\n'))) return [];
  const written = file.text.slice(valueStart, end);
  const comment = isBlock ? commentOfHeader(written) : '';
  const column =
    (isBlock ? columnOfBlock(written, String(value.value)) : undefined) ?? file.column(start) + layout.step;
  const block = (lines: string): string[] =>
    [literalBlock(lines, { column, lineBreak: layout.lineBreak, comment })].filter(
      (each) => each !== undefined,
    );
  const isFolded = value.type === Scalar.BLOCK_FOLDED;
  const folded = isFolded
    ? block(text.replaceAll(/\n(?!$)/g, '\n\n')).map((each) => each.replace('|', '>'))
    : [];
  return [...folded, ...block(text)];
}

/** The comment behind `|` or `>`, with the blanks before it. */
const commentOfHeader = (written: string): string =>
  /^[^\r\n]*?([ \t]+#[^\r\n]*)?(?:\r?\n|$)/.exec(written)?.[1] ?? '';

function columnOfBlock(written: string, value: string): number | undefined {
  const line = /\n( +)[^ \r\n]/.exec(written)?.[1];
  return line === undefined ? undefined : line.length - (/^ */.exec(value)?.[0].length ?? 0);
}

/** The whole text in one line: in the quotes that it has, else in as few as it needs. */
function lineTexts({ type }: Scalar.Parsed, text: string, { layout, isInFlow }: TextOptions): string[] {
  const quotes = type === Scalar.QUOTE_SINGLE ? "'" : type === Scalar.QUOTE_DOUBLE ? '"' : undefined;
  return [...(quotes ? [quoted(text, quotes)] : [inOneLine(text, layout, isInFlow)]), quoted(text, '"')];
}
