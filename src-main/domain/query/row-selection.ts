// Which rows of a run a table shows, and in which order.
import type { JsonValue } from '../../base/json-value.ts';
import type { TestedEnd } from '../results/node-cell.ts';
import type { RowState } from '../run/row-state.ts';
import type { Column } from './column.ts';

/** A test of one column's value. A row without the value passes `isEmpty` and `notEquals` only. */
export type ValueTest =
  /** Equal as JSON: `1` is not `"1"`, and the order of an object's keys does not matter. */
  | { readonly is: 'equals' | 'notEquals'; readonly value: JsonValue }
  | { readonly is: 'oneOf'; readonly values: readonly JsonValue[] }
  /** The text of the value has this text in it, without regard to case. */
  | { readonly is: 'contains'; readonly text: string }
  /** No value, null or an empty text. */
  | { readonly is: 'empty' | 'notEmpty' }
  /** Numbers, or texts by their characters, as the bounds are. Both bounds belong to the range, if not excluded. */
  | {
      readonly is: 'between';
      readonly min?: number | string | undefined;
      readonly max?: number | string | undefined;
      /** True: values equal to `max` are outside, as in a histogram, whose ranges begin where the one before it ends. */
      readonly isMaxExcluded?: boolean | undefined;
    };

export type Condition =
  | ({ readonly of: 'column'; readonly column: Column } & { readonly test: ValueTest })
  | { readonly of: 'state'; readonly states: readonly RowState['state'][] }
  /** Rows that failed at a node; with a message of one of them, those that failed for the same cause (`groupFailures`). */
  | { readonly of: 'cause'; readonly nodeId: string; readonly message?: string | undefined }
  /** Rows that took so long, in ms. Both bounds belong to the range. */
  | { readonly of: 'took'; readonly minMs?: number | undefined; readonly maxMs?: number | undefined }
  /** Rows in which a node needed more than one attempt. */
  | { readonly of: 'retried' }
  /** Rows in which the node ended in one of these ways; without `nodeId`, any node. Rows without a trace are left out. */
  | {
      readonly of: 'node';
      readonly nodeId?: string | undefined;
      readonly ends: readonly TestedEnd[];
    }
  /** Any value of the row or of its output has this text in it. */
  | { readonly of: 'text'; readonly text: string }
  /** Rows with these numbers, at most `maxSelectedNumbers`; with `isExcluded`, all rows but these. */
  | {
      readonly of: 'rows';
      readonly numbers: readonly number[];
      readonly isExcluded?: boolean | undefined;
    };

/** Maximum rows that a condition lists by number: rows that a user selected one by one. */
export const maxSelectedNumbers = 10_000;

/** Order of rows: by a field, by their state, or by how long they took. */
export type SortColumn = Column | 'state' | 'took';

export type RowSelection = {
  /** True: each row with its newest answer, from the run or from a rerun that completes it; as of an export. */
  readonly latest?: boolean | undefined;
  /** All must hold. None: every row. */
  readonly conditions: readonly Condition[];
  /** Absent: by position. Values of one type are beside each other: numbers, texts, other values, then rows without a value. */
  readonly sort?: { readonly column: SortColumn; readonly descending: boolean } | undefined;
  /** Rows with the same value come together, the most frequent value first; sorted within. */
  readonly groupBy?: Column | undefined;
};

export const allRows: RowSelection = { conditions: [] };
