// Lines of a text file as they are written.
import type { ReadOptions } from '#contract';
import { textsOf } from './read-rows-file.ts';
import { shortLine } from './short-line.ts';

/** The lines with these numbers, from 1. Reads the file up to the last of them. */
export async function readFileLines(
  file: File,
  numbers: readonly number[],
  options: ReadOptions,
): Promise<readonly string[]> {
  const last = Math.max(0, ...numbers);
  const found = new Map<number, string>();
  let line = 1;
  let rest = '';
  for await (const [text] of textsOf(file, options)) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const each of lines) {
      if (numbers.includes(line)) found.set(line, shortLine(each));
      line += 1;
    }
    if (line > last) break;
  }
  if (numbers.includes(line)) found.set(line, shortLine(rest));
  return numbers.map((number) => found.get(number) ?? '');
}
