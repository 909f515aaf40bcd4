import type { InputRowView, OutputRowView } from '#contract';

/** A row of either table of a run; without a state it is one of the input. */
export type TableRow = InputRowView & Partial<Pick<OutputRowView, 'state' | 'failure'>>;
