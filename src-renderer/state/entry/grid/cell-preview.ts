import { counted, type CellType } from '#contract';
import { cellText, type Cell } from './cell.ts';

export type CellPreview = {
  readonly text: string;
  /** `faint`: a label for a value without text of its own, such as null. */
  readonly look: 'text' | 'number' | 'nested' | 'faint';
};

/** Maximum characters that are drawn in a cell. */
const maxLetters = 300;
const nothing: CellPreview = { text: '', look: 'text' };

/** The text and look of a cell in the grid. */
export function cellPreview(cell: Cell, type: CellType): CellPreview {
  if (cell === undefined) return nothing;
  if (cell === null) return { text: 'null', look: 'faint' };
  if (cell === '') return { text: 'empty text', look: 'faint' };
  if (typeof cell === 'string') {
    const text = cell.slice(0, maxLetters);
    return { text: type === 'any' ? cellText(text, type) : text, look: 'text' };
  }
  if (typeof cell === 'number') return { text: String(cell), look: 'number' };
  if (typeof cell === 'boolean') return { text: String(cell), look: 'text' };
  if (Array.isArray(cell)) return { text: counted(cell.length, 'item'), look: 'nested' };
  return { text: counted(Object.keys(cell).length, 'field'), look: 'nested' };
}

/** True for a cell that is edited as JSON in a dialog. */
export const isNested = (cell: Cell, type: CellType): boolean =>
  (typeof cell === 'object' && cell !== null) || type === 'array' || type === 'object';
