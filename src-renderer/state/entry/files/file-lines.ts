// Lines of a text file as they are written.
import { TextOfBytes, type ReadOptions } from '#contract';
import { openFile } from './file-bytes.ts';

/** First lines that are shown. */
export const maxFirstLines = 20;
/** Characters of a line that are shown. */
const maxLineLength = 300;

/** The first lines. */
export async function readFirstLines(
  file: Blob,
  count: number,
  options: ReadOptions,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of linesIn(file, options)) {
    lines.push(shortLine(line));
    if (lines.length === count) break;
  }
  return lines;
}

/** The lines with these numbers, from 1. Reads the file up to the last of them. */
export async function readFileLines(
  file: Blob,
  numbers: readonly number[],
  options: ReadOptions,
): Promise<readonly string[]> {
  const last = Math.max(0, ...numbers);
  const found = new Map<number, string>();
  let number = 0;
  for await (const line of linesIn(file, options)) {
    number += 1;
    if (numbers.includes(number)) found.set(number, shortLine(line));
    if (number >= last) break;
  }
  return numbers.map((each) => found.get(each) ?? '');
}

/** The beginning of a long line. */
export const shortLine = (line: string): string =>
  line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;

async function* linesIn(file: Blob, options: ReadOptions): AsyncGenerator<string> {
  const text = new TextOfBytes(options);
  const { bytes } = await openFile(file);
  let rest = '';
  for await (const piece of bytes) {
    // A return at the end of the piece may have its newline in the next one.
    const lines = (rest + (await text.push(piece))).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  const lines = (rest + (await text.end())).split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  yield* lines;
}
