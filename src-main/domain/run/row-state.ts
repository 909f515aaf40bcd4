// One fixed-width record a row in `rows.state`, so that any slice of a million rows is read at once.

/** Bytes of one record: state u8, reserved u8, retries u16, duration in microseconds u32 (little endian). */
export const rowStateBytes = 8;

export type RowState = {
  /** `unfinished`: its run was cancelled before it ended, while rows after it had. */
  readonly state: 'done' | 'failed' | 'unfinished';
  /** Node attempts beyond the first, summed over the row's nodes. */
  readonly retries: number;
  readonly durationMicros: number;
};

/** In the order in which rows are sorted by them. */
export const rowStates = ['done', 'failed', 'unfinished'] as const satisfies readonly RowState['state'][];

const codes = { done: 1, failed: 2, unfinished: 3 } as const;

export function writeRowState(into: DataView, offset: number, row: RowState): void {
  into.setUint8(offset, codes[row.state]);
  into.setUint8(offset + 1, 0);
  into.setUint16(offset + 2, Math.min(row.retries, 0xffff), true);
  into.setUint32(offset + 4, Math.min(Math.round(row.durationMicros), 0xffff_ffff), true);
}

export function readRowState(from: DataView, offset: number): RowState {
  const code = from.getUint8(offset);
  return {
    state: code === codes.failed ? 'failed' : code === codes.unfinished ? 'unfinished' : 'done',
    retries: from.getUint16(offset + 2, true),
    durationMicros: from.getUint32(offset + 4, true),
  };
}

/**
 * Filters for the rows of a run. `failed` and `retried` test how a row ended, `slow` how long it took. `skipped` finds
 * rows with a skipped node, among the rows that have a trace.
 */
export const rowFilters = ['failed', 'slow', 'skipped', 'retried'] as const;
export type RowFilter = (typeof rowFilters)[number];
