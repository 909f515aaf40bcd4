// A cell holds its row's value for the column's name. Text that the user types is parsed by the column's type, and
// shown again as text that parses to the same value.
import { typedCell, type CellType, type JsonValue } from '#contract';

/** Value of a cell. `undefined`: the row does not have the field, which differs from null and from an empty text. */
export type Cell = JsonValue | undefined;

/**
 * Parses typed text by the column's type. Empty text is no value. Text that the type cannot parse stays text, and is
 * reported as a problem of its cell.
 */
export function readCell(text: string, type: CellType): Cell {
  if (text === '') return undefined;
  if (type === 'string') return text;
  if (type === 'any') return readAny(text);
  return readTyped(text, type);
}

/** Like `readCell`, but in columns of any type, pasted text stays text unchanged: "007", "1e5". */
export function readPasted(text: string, type: CellType): Cell {
  if (text === '') return undefined;
  return type === 'string' || type === 'any' ? text : readTyped(text, type);
}

/** Initial text when the user edits the cell. */
export function cellText(cell: Cell, type: CellType): string {
  if (cell === undefined) return '';
  if (cell === null) return type === 'string' ? '' : 'null';
  if (typeof cell === 'object') return JSON.stringify(cell);
  if (typeof cell !== 'string') return String(cell);
  const isPlain = type !== 'any' || (cell !== '' && readAny(cell) === cell);
  return isPlain ? cell : JSON.stringify(cell);
}

/** The type of the cell's value, named as in the input node. */
export function cellKind(cell: JsonValue): CellType | 'null' {
  if (cell === null) return 'null';
  if (Array.isArray(cell)) return 'array';
  return typeof cell as CellType;
}

function readTyped(text: string, type: CellType): Cell {
  if (text.trim() === 'null') return null;
  const typed = typedCell(text, type);
  return 'problem' in typed ? text : typed.value;
}

const literals = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Parses clear JSON as JSON and everything else as text. A text that looks like JSON is written in quotes. */
function readAny(text: string): Cell {
  const bare = text.trim();
  const literal = literals.get(bare);
  if (literal !== undefined) return literal;
  const first = bare.charAt(0);
  if (first === '[') return readTyped(text, 'array');
  if (first === '{') return readTyped(text, 'object');
  if (first === '"') return quotedText(bare) ?? text;
  const number = Number(bare);
  return String(number) === bare && Number.isFinite(number) ? number : text;
}

function quotedText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // The text is not quoted: the quote is only its first character.
    return undefined;
  }
}
