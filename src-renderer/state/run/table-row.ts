import type { InputRowView, OutputRowView } from '#contract';

/** A row of the input or output table of a run; input rows have no `state`. */
export type TableRow = InputRowView & Partial<Pick<OutputRowView, 'state' | 'failure'>>;
