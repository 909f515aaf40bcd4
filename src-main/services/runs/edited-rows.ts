import { rowNumbersInvalid } from '../../domain/run-errors.ts';
import { createRowReader } from '../../domain/rows/files/create-row-reader.ts';
import type { EditedRows, RowLines } from '../../domain/run/row-numbers.ts';

/** Throws `invalid_input` for a line that is no row, and for numbers that do not fit the rows. */
export function readEditedRows({ lines, numbers }: EditedRows): AsyncIterable<RowLines> {
  const reader = createRowReader('ndjson', new Map());
  const rows = [...reader.push(lines), ...reader.end()];
  if (numbers !== undefined) assertNumbersFit(numbers, rows.length);
  const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(''));
  return onePiece({ firstRow: 1, bytes, ...(numbers === undefined ? {} : { numbers }) });
}

async function* onePiece(piece: RowLines): AsyncGenerator<RowLines> {
  yield piece;
}

/** Throws `invalid_input` for numbers that do not rise, or are not one a row. */
export function assertNumbersFit(numbers: readonly number[], rows: number): void {
  if (numbers.length !== rows)
    throw rowNumbersInvalid(`${numbers.length} numbers were given for ${rows} rows`);
  const wrong = numbers.findIndex((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0));
  if (wrong > 0) throw rowNumbersInvalid(`${numbers[wrong]} comes after ${numbers[wrong - 1]}`);
}
