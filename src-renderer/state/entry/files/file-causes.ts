// The causes of problems in the columns of a file, each with the repairs that one click makes.
import { count, counted, typedCell, type ColumnRepair } from '#contract';
import { decimalOf, numbersRepair, type CellClass, type ColumnCells } from '../column-cells.ts';
import type { FileColumn } from '../column-types.ts';
import type { RowsFile } from './read-rows-file.ts';

export type ColumnCause = {
  /** Tells causes apart, also after a repair. */
  readonly id: string;
  /** Name of the column in the file. */
  readonly column: string;
  /** Column and cells, such as "amount: 82 values like 1.234,50". */
  readonly text: string;
  /** Number of cells. */
  readonly count: number;
  /** Repairs with the words of their buttons; none for values that only the user can correct. */
  readonly fixes: readonly CauseFix[];
  /** The repair that was made, in words. */
  readonly done?: string | undefined;
  /** The repair that an undo leaves; absent: none. */
  readonly undone?: ColumnRepair | undefined;
};

type CauseFix = { readonly label: string; readonly repair: ColumnRepair };

type CausesOf = Pick<RowsFile, 'rows' | 'total'> & {
  readonly column: FileColumn;
  readonly cells: ColumnCells;
};

/** The causes of all columns that are taken, those of most cells first. */
export function columnCauses(
  columns: readonly FileColumn[],
  { rows, total, cells: cellsOf }: Pick<RowsFile, 'rows' | 'total' | 'cells'>,
): readonly ColumnCause[] {
  return columns
    .flatMap((column) => {
      const cells = cellsOf.get(column.name);
      return column.target === undefined || cells === undefined
        ? []
        : causesIn({ column, cells, rows, total });
    })
    .sort((one, other) => other.count - one.count);
}

function causesIn(of: CausesOf): readonly ColumnCause[] {
  const { type } = of.column;
  const typed =
    type === 'number' ? numberCauses(of) : type === 'string' ? textCauses(of) : [unreadableCause(of)];
  return [...typed, ...missingCause(of)].filter((cause) => cause.count > 0);
}

/** Values that are not of another type, such as true or false. Only the rows that the page has are looked at. */
function unreadableCause(of: CausesOf): ColumnCause {
  const { column, rows } = of;
  const misfits = rows.flatMap((row) => {
    const cell = row[column.name];
    return typeof cell === 'string' && 'problem' in typedCell(cell, column.type) ? [cell] : [];
  });
  return {
    id: `${column.name} other`,
    column: column.name,
    text: `${labelOf(of)}: ${counted(misfits.length, 'value')} of another type, such as ${misfits[0] ?? ''}`,
    count: misfits.length,
    fixes: [],
  };
}

const numberKinds: readonly CellClass[] = ['integer', 'decimal', 'group'];
const dateKinds: readonly CellClass[] = ['isoDate', 'yearFirst', 'dayFirst', 'monthFirst', 'eitherDate'];

function numberCauses(of: CausesOf): readonly ColumnCause[] {
  const { cells } = of;
  const known = decimalOf(cells);
  const decimal = known === 'both' ? undefined : known;
  const groups: readonly CellClass[] = cells.count('commaForm') > 0 ? ['group'] : [];
  const either: readonly CellClass[] = ['eitherForm', ...groups];
  const forms: readonly CellClass[] = ['commaForm', 'dotForm', 'wholeForm'];
  const numbers = cause(of, 'numbers', {
    kinds: decimal === undefined ? forms : [...forms, ...either],
    fixes: [{ label: 'Read as numbers', repair: numbersRepair(cells, decimal) }],
  });
  const choice = decimal === undefined ? [eitherNumberCause(of, either)] : [];
  return [numbers, ...choice, absentCause(of), otherCause(of)];
}

/** Values that are no numbers, or have another unit than most. */
function otherCause(of: CausesOf): ColumnCause {
  const { column, cells } = of;
  const known = cells.count(...numberKinds, 'commaForm', 'dotForm', 'wholeForm', 'eitherForm', 'absent');
  const misfits = cells.filled - known;
  const example = cells.example('text', ...dateKinds) || cells.otherUnitExample;
  const words = `${counted(misfits, 'value')} ${misfits === 1 ? 'is no number' : 'are no numbers'}`;
  return {
    id: `${column.name} other`,
    column: column.name,
    text: `${labelOf(of)}: ${words}, such as ${example}`,
    count: misfits,
    fixes: [],
  };
}

/** Values such as `1,234`, which nothing in the column decides. */
function eitherNumberCause(of: CausesOf, kinds: readonly CellClass[]): ColumnCause {
  const example = of.cells.example(...kinds);
  const fixes = (['.', ','] as const).map((decimal): CauseFix => ({
    label: `Read ${example} with decimal ${decimal === '.' ? 'point' : 'comma'}`,
    repair: numbersRepair(of.cells, decimal),
  }));
  return cause(of, 'decimal', { kinds, fixes });
}

function textCauses(of: CausesOf): readonly ColumnCause[] {
  const { cells, column } = of;
  const isDates = isDateColumn(cells);
  const isTrimmed = column.repairs.some(({ kind }) => kind === 'trim');
  return [
    ...(isDates ? [...dateCauses(of), absentCause(of)] : []),
    {
      id: `${column.name} padded`,
      column: column.name,
      text: `${labelOf(of)}: ${counted(cells.padded, 'cell')} with blanks around`,
      count: cells.padded,
      fixes: [{ label: 'Trim', repair: { kind: 'trim' } }],
      done: isTrimmed ? 'trimmed' : undefined,
    },
  ];
}

/** True if at least half of the values are dates. */
const isDateColumn = (cells: ColumnCells): boolean =>
  2 * cells.count(...dateKinds) >= cells.filled - cells.count('absent') && cells.count(...dateKinds) > 0;

function dateCauses(of: CausesOf): readonly ColumnCause[] {
  const { cells } = of;
  const [days, months] = [cells.count('dayFirst'), cells.count('monthFirst')];
  const order = days > 0 === months > 0 ? undefined : days > 0 ? 'dmy' : 'mdy';
  const certain: readonly CellClass[] = ['dayFirst', 'monthFirst', 'yearFirst'];
  const kinds: readonly CellClass[] = order === undefined ? certain : [...certain, 'eitherDate'];
  const iso = cause(of, 'dates', {
    kinds,
    fixes: [{ label: 'Make ISO', repair: { kind: 'dates', order } }],
  });
  if (order !== undefined) return [iso];
  const choices = [
    { label: 'Day first', repair: { kind: 'dates', order: 'dmy' } },
    { label: 'Month first', repair: { kind: 'dates', order: 'mdy' } },
  ] as const;
  return [iso, cause(of, 'order', { kinds: ['eitherDate'], fixes: choices })];
}

/** A cause with the cells of those classes. */
function cause(
  of: CausesOf,
  id: 'numbers' | 'decimal' | 'dates' | 'order',
  { kinds, fixes }: { readonly kinds: readonly CellClass[]; readonly fixes: readonly CauseFix[] },
): ColumnCause {
  const { cells, column } = of;
  const needsChoice = id === 'decimal' || id === 'order';
  const what = id === 'dates' || id === 'order' ? 'date' : 'value';
  const repair = column.repairs.find(({ kind }) => kind === fixes[0]?.repair.kind);
  const isDone = repair !== undefined && (!needsChoice || isDecided(repair));
  return {
    id: `${column.name} ${id}`,
    column: column.name,
    text: `${labelOf(of)}: ${counted(cells.count(...kinds), what)} like ${cells.example(...kinds)}`,
    count: cells.count(...kinds),
    fixes,
    done: isDone ? doneText(repair) : undefined,
    undone: needsChoice && repair !== undefined ? { kind: repair.kind } : undefined,
  };
}

const isDecided = (repair: ColumnRepair): boolean =>
  (repair.kind === 'numbers' && repair.decimal !== undefined) ||
  (repair.kind === 'dates' && repair.order !== undefined);

function doneText(repair: ColumnRepair): string {
  if (repair.kind === 'dates')
    return repair.order === undefined || repair.order === 'ymd'
      ? 'made ISO'
      : `made ISO, ${repair.order === 'dmy' ? 'day' : 'month'} first`;
  if (repair.kind !== 'numbers') return '';
  return repair.decimal === undefined
    ? 'read as numbers'
    : `read as numbers with decimal ${repair.decimal === '.' ? 'point' : 'comma'}`;
}

/** Marks such as k.A., of which each makes its row fail. */
function absentCause(of: CausesOf): ColumnCause {
  const { cells, column } = of;
  const marks = [...cells.marks].sort(([, one], [, other]) => other - one).slice(0, 3);
  return {
    id: `${column.name} absent`,
    column: column.name,
    text: `${labelOf(of)}: ${marks.map(([mark, times]) => `${count(times)} × ${mark}`).join(', ')}`,
    count: cells.count('absent'),
    fixes: [{ label: 'Leave empty', repair: { kind: 'absent' } }],
    done: column.repairs.some(({ kind }) => kind === 'absent') ? 'left empty' : undefined,
  };
}

/** Rows without a value that the workflow requires. */
function missingCause(of: CausesOf): readonly ColumnCause[] {
  const { cells, column, total } = of;
  const isEmptied = column.repairs.some(({ kind }) => kind === 'absent');
  const missing = total - cells.filled + (isEmptied ? cells.count('absent') : 0);
  if (!column.isRequired) return [];
  return [
    {
      id: `${column.name} missing`,
      column: column.name,
      text: `${labelOf(of)}: ${counted(missing, 'row')} without a value (required)`,
      count: missing,
      fixes: [],
    },
  ];
}

const labelOf = ({ column: { name, target } }: CausesOf): string => target ?? name;
