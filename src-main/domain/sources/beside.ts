import type { Table } from './table.ts';

/** All that the runs of a workflow need beside its own file, read and checked. */
export type Beside = { readonly tables: readonly Table[] };

export const nothingBeside: Beside = { tables: [] };
