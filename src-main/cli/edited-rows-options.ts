// `--rows FILE --numbers 3,7-9`: rows in place of those of the run that is repeated.
import { rowsNamed } from '../app/input-rows.ts';
import type { EditedRowsInput } from '../contract/index.ts';
import { UsageError } from './exit-code.ts';

export type EditedRowsOptions = {
  readonly rows?: string;
  readonly sheet?: string;
  readonly numbers?: string;
};

/** Undefined without `--rows`. Throws `invalid_input` for a file that cannot be read as rows. */
export async function editedRows(
  options: EditedRowsOptions,
  workerScript: string,
): Promise<EditedRowsInput | undefined> {
  const { rows, numbers, sheet } = options;
  if (rows === undefined) {
    if (numbers !== undefined) throw new UsageError('--numbers says which rows those of --rows FILE are');
    return undefined;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of rowsNamed(rows, { workerScript, sheet })) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString('utf8');
  return { lines, ...(numbers === undefined ? {} : { numbers: numbersOf(numbers) }) };
}

/** No list of numbers on a command line is longer. */
const maxNumbers = 100_000;

/** `3,7-9` is 3, 7, 8 and 9. Throws a UsageError that names the option. */
export function numbersOf(text: string, option = '--numbers'): number[] {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,7})(?:-(\d{1,7}))?\s*$/.exec(part) ?? [];
    const isRising = Number(first) <= Number(last);
    if (!isRising || Number(last) - Number(first) + numbers.length >= maxNumbers)
      throw new UsageError(`${option} must be row numbers such as 3,7-9, not "${text}"`);
    for (let number = Number(first); number <= Number(last); number += 1) numbers.push(number);
  }
  return numbers;
}
