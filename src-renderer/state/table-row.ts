import type { InputRowView, OutputRowView } from '#contract';

/** A row of either table of a run; without a state it is one of the input. */
export type TableRow = InputRowView & Partial<Pick<OutputRowView, 'state' | 'failure'>>;

/** The cell that the keys are on: `column` 0 is the row itself, then come the fields. */
export type CellPlace = { readonly index: number; readonly column: number };
