// The types of columns that nothing declares, inferred from their cells. Who calls: the import of files in the app, and `new --rows`.
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { plainNumber, type DecimalMark } from './number-forms.ts';
import { typedCell, type CellType } from '../typed-cell.ts';

/** Digits that every double holds. */
const maxDigits = 15;

/** Types in the order in which they are tried. Each accepts only cells whose value has all that the text says. */
const candidates: readonly (readonly [CellType, (cell: string) => boolean])[] = [
  ['number', isPlainNumber],
  ['boolean', (cell) => /^(true|false)$/i.test(cell)],
  ['array', (cell) => cell.startsWith('[') && !('problem' in typedCell(cell, 'array'))],
  ['object', (cell) => cell.startsWith('{') && !('problem' in typedCell(cell, 'object'))],
];

/** Says if the text is a number in the one usual form: `007`, `1e5`, `-0` and numbers of more than 15 digits stay text. */
function isPlainNumber(cell: string): boolean {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell)) return false;
  return cell.replace(/\D/g, '').length <= maxDigits && !Object.is(Number(cell), -0);
}

/**
 * The type that all cells of a column have; `string` if they have none in common, and for a column without any. Blanks
 * around a cell do not count, nor do empty cells and values that are no text.
 */
export function columnKind(cells: Iterable<JsonValue | undefined>): CellType {
  let left = candidates;
  let hasCells = false;
  for (const cell of cells) {
    const text = typeof cell === 'string' ? cell.trim() : '';
    if (text === '') continue;
    hasCells = true;
    left = left.filter(([, fits]) => fits(text));
    if (left.length === 0) return 'string';
  }
  return hasCells ? (left[0]?.[0] ?? 'string') : 'string';
}

/**
 * The rows of a table of texts with values of the types that their columns have. An empty cell of such a column is null.
 * @param decimal mark before decimals; absent: only numbers in the plain form are numbers
 */
export function withColumnKinds(rows: readonly JsonObject[], decimal?: DecimalMark): readonly JsonObject[] {
  const plain = (cell: JsonValue | undefined): JsonValue | undefined =>
    typeof cell === 'string' && decimal !== undefined ? (plainNumber(cell, decimal) ?? cell) : cell;
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const kinds = new Map([...names].map((name) => [name, columnKind(rows.map((row) => plain(row[name])))]));
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => {
        const kind = kinds.get(name) ?? 'string';
        return [name, valueOf((kind === 'number' ? plain(cell) : cell) ?? null, kind)];
      }),
    ),
  );
}

function valueOf(cell: JsonValue, kind: CellType): JsonValue {
  if (typeof cell !== 'string') return cell;
  const typed = typedCell(cell, kind);
  return 'problem' in typed ? cell : (typed.value ?? null);
}
