// Icon, text and label of a cell: the result of a node in a row. Pure functions, since thousands are drawn.
import {
  counted,
  duration,
  fineDuration,
  type NodeCellView,
  type RunningRow,
  type RunView,
  type SelectedRow,
} from '#contract';

/** The part of a row of the table that its cells show. */
type RowResult = Pick<SelectedRow, 'state' | 'ms' | 'cells' | 'values'>;

type CellKind =
  'done' | 'failed' | 'skipped' | 'replaced' | 'reused' | 'unreached' | 'unkept' | 'pending' | 'running';

export type CellLook = {
  readonly kind: CellKind;
  /** Text next to the icon. */
  readonly text: string;
  /** Full text for screen readers. */
  readonly label: string;
  /** Colour depth by duration, 0 to 5: below 1 ms, then a step per power of ten, up to 10 s and more. */
  readonly depth: number;
};

/** Meaning of the marks and colours of cells, for a tooltip. */
export const legendText =
  '✓ done, ✕ failed, – skipped, ⇄ replaced by onError, · not kept\nA cell is darker the longer the node took.';

const pending: CellLook = { kind: 'pending', text: '', label: 'not ended yet', depth: 0 };
/** A cell of a row that the run never came to. */
export const notRunLook: CellLook = { kind: 'unreached', text: '', label: 'not run', depth: 0 };
const unkept: CellLook = { kind: 'unkept', text: '', label: 'not kept', depth: 0 };
/** Shown for a cell whose result or value is not kept. */
export const unkeptHint = 'Not kept. Open the row, then choose “Trace this row” to see it.';
const unreached: CellLook = { kind: 'unreached', text: '', label: 'not reached', depth: 0 };
const skipped: CellLook = { kind: 'skipped', text: 'skipped', label: 'skipped', depth: 0 };

/** @param row undefined until it is loaded */
export function cellLook(row: RowResult | undefined, nodeIndex: number): CellLook {
  if (row?.state === undefined || row.state === 'unfinished') return pending;
  const cell = row.cells?.[nodeIndex];
  return cell === undefined || cell === null ? unkept : lookOf(cell);
}

/** The same cell with the node's value as its text. Its colour and its label still say how the node ended. */
export function valueLook(row: RowResult | undefined, nodeIndex: number): CellLook {
  const look = cellLook(row, nodeIndex);
  const value = row?.values?.[nodeIndex]?.text;
  if (value !== undefined) return { ...look, text: value, label: `${look.label}: ${value}` };
  if (look.kind === 'failed') return { ...look, text: 'failed' };
  if (look.kind !== 'done' && look.kind !== 'replaced' && look.kind !== 'reused') return look;
  return { ...look, text: '', label: `${look.label}, value not kept` };
}

/** The cell of the node that the row waits in. */
export function runningLook({ sinceMs }: RunningRow, nowMs: number): CellLook {
  const text = duration(Math.floor(Math.max(0, nowMs - sinceMs) / 100) * 100);
  return { kind: 'running', text, label: `running, ${text}`, depth: 0 };
}

/** The rows that wait in a node, by position; none while the run rests. */
export function runningByPosition({ status, running = [] }: RunView): ReadonlyMap<number, RunningRow> {
  const works = status === 'running' || status === 'pausing';
  return new Map(works ? running.map((row) => [row.position, row]) : []);
}

function lookOf({ end, ms, attempts, items }: NodeCellView): CellLook {
  if (end === 'not kept') return unkept;
  if (end === 'not reached') return unreached;
  if (end === 'skipped') return skipped;
  const took = ms === undefined ? '' : fineDuration(ms);
  const isRetried = attempts > Math.max(1, items ?? 1);
  const known = [end, isRetried ? `${attempts} tries` : '', took].filter((part) => part !== '');
  const shown = took === '' || end === 'reused' ? end : took;
  return {
    kind: end,
    text: isRetried ? `${attempts}× ${shown}` : shown,
    label: [...known, ...entriesOf(items)].join(', '),
    depth: end === 'reused' ? 0 : depthOf(ms ?? 0),
  };
}

const entriesOf = (items: number | undefined): readonly string[] =>
  items === undefined ? [] : [counted(items, 'entry').replace(/entrys$/, 'entries')];

/** Share of the tint in the ground of a cell, by its depth, in percent. */
export const depthShares = [0, 6, 12, 20, 30, 42] as const;

/** A step per power of ten, from 1 ms on. */
export const depthOf = (ms: number): number =>
  Math.max(0, Math.min(5, Math.floor(Math.log10(Math.max(ms, 0.1))) + 1));

/** Duration of the row as text; empty if unknown: the row has not ended, or its worker crashed. */
export const rowTook = ({ state, ms = 0 }: RowResult): string =>
  state === undefined || state === 'unfinished' || ms === 0 ? '' : fineDuration(ms);
