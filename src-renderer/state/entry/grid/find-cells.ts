// Finds and replaces text in cells. Cells are searched as the text that the user would edit.
import { escapeRegExp, type CellType } from '#contract';
import { cellKind, cellText, readCell, type Cell } from './cell.ts';
import { writeCells } from './row-edits.ts';
import type { Change, CellAddress, CellRange, SheetState } from './sheet-change.ts';

export type CellQuery = { readonly text: string; readonly isCaseSensitive: boolean };

/** Positions of the cells that contain the text, row by row, ascending: `row * columns + column`. */
export function findCells(sheet: SheetState, range: CellRange, query: CellQuery): readonly number[] {
  const { rows, columns } = sheet;
  const pattern = patternOf(query);
  const found: number[] = [];
  if (pattern === undefined) return found;
  const searched = columns.slice(range.left, range.right + 1);
  const bottom = Math.min(range.bottom, rows.length - 1);
  for (let row = range.top; row <= bottom; row += 1) {
    const cells = rows[row]?.cells ?? [];
    for (const [index, { slot, type }] of searched.entries()) {
      const cell = cells[slot];
      if (cell === undefined || cell === null) continue;
      if (textOf(cell, type).search(pattern) >= 0) found.push(row * columns.length + range.left + index);
    }
  }
  return found;
}

export const addressOfPosition = ({ columns }: SheetState, position: number): CellAddress => ({
  row: Math.floor(position / columns.length),
  column: position % columns.length,
});

/** The first match after that position, or before it; continues at the other end. Undefined without matches. */
export function nextMatch(matches: readonly number[], position: number, by: 1 | -1): number | undefined {
  return by === 1
    ? (matches.find((match) => match > position) ?? matches[0])
    : (matches.findLast((match) => match < position) ?? matches.at(-1));
}

/** Replaces the text in the cells of the range. The new text is parsed by the column's type. */
export function replaceInCells(
  sheet: SheetState,
  range: CellRange,
  { replacement, ...query }: CellQuery & { readonly replacement: string },
): Change | undefined {
  const pattern = patternOf(query);
  if (pattern === undefined) return undefined;
  const bottom = Math.min(range.bottom, sheet.rows.length - 1);
  return writeCells(
    sheet,
    { ...range, bottom },
    {
      label: 'replace',
      cellAt: (row, column) => {
        const { slot = -1, type = 'any' } = sheet.columns[column] ?? {};
        const cell = sheet.rows[row]?.cells[slot];
        return cell === undefined || cell === null ? cell : replaced(cell, { type, pattern, replacement });
      },
    },
  );
}

/** Number of cells that the change replaces. */
export function changedCells(change: Change | undefined): number {
  const { before = [], after = [] } = change?.rows ?? {};
  let count = 0;
  after.forEach((row, index) => {
    const old = before[index];
    if (row !== old) row.cells.forEach((cell, slot) => (count += cell === old?.cells[slot] ? 0 : 1));
  });
  return count;
}

type Replacement = { readonly type: CellType; readonly pattern: RegExp; readonly replacement: string };

function replaced(cell: NonNullable<Cell>, { type, pattern, replacement }: Replacement): Cell {
  const before = textOf(cell, type);
  const after = before.replace(pattern, () => replacement);
  if (after === before) return cell;
  if (typeof cell === 'string' && type === 'any') return after === '' ? undefined : after;
  const read = readCell(after, type);
  // A list or an object stays as it is if the text is no longer one.
  return typeof cell === 'object' && (read === undefined || cellKind(read) !== cellKind(cell)) ? cell : read;
}

const textOf = (cell: NonNullable<Cell>, type: CellType): string =>
  typeof cell === 'string' ? cell : cellText(cell, type);

/** Undefined for empty text, which no cell contains. */
function patternOf({ text, isCaseSensitive }: CellQuery): RegExp | undefined {
  if (text === '') return undefined;
  return new RegExp(escapeRegExp(text), isCaseSensitive ? 'gu' : 'giu');
}
