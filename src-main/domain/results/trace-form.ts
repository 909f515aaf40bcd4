// Names and limits of row traces, shared by the code that writes them and the code that reads them.
import { fineDuration } from '../format.ts';

/** How a node ended in a row; a number in the line is the place in this list. `replaced`: `onError` gave the value;
 * `reused`: it did not run, its value is that of an earlier run. */
export const nodeEnds = ['done', 'failed', 'skipped', 'replaced', 'not reached', 'reused'] as const;
export type NodeEnd = (typeof nodeEnds)[number];

export const logLevels = ['log', 'info', 'warn', 'error', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Sources of an answer that a service did not give. */
export const standIns = ['cassette', 'scenario', 'share'] as const;
export type StandIn = (typeof standIns)[number];

export const standInLabels: Readonly<Record<StandIn, string>> = {
  cassette: 'replayed',
  scenario: 'by scenario',
  share: 'shared',
};

/** The wait of a call for the `limit` of its node, such as `waited 400 ms for the limit`. */
export const limitWaitText = (ms: number): string => `waited ${fineDuration(ms)} for the limit`;

/**
 * The number of a call of `repeat`, such as `call 2 of 3`. With `each`, the calls of one item are not counted apart.
 * @param node its items, and its calls over all items
 */
export const repeatedCallText = (
  round: number,
  { items, repeatedCalls }: { readonly items?: number; readonly repeatedCalls?: number },
): string =>
  items === undefined && repeatedCalls !== undefined ? `call ${round} of ${repeatedCalls}` : `call ${round}`;

/** In bytes of JSON: of one value, of all values of a row, and of all that a row logs. */
export const maxValueBytes = 16_384;
export const maxRowValueBytes = 262_144;
export const maxLogBytes = 65_536;

/** Rows that have a trace whatever becomes of them, and those of them that keep values and logs. */
export const rowsTraced = 10_000;
export const rowsWithValues = 200;

/**
 * A row is slow when it takes longer than this, in ms. It is also slow when it takes longer than 99 of 100 rows before
 * it in its worker and longer than `minSlowMs`, since a user notices no shorter wait.
 */
export const alwaysSlowMs = 1000;
export const minSlowMs = 10;

/** Maximum bytes of the traces of a run; beyond it failed rows keep only their failure, others nothing. */
export const maxTraceBytes = 100_000_000;

/**
 * How much is kept of rows: `full`, whatever they do; `usual`, as the bounds above say; `failures`, only why rows
 * failed.
 */
export type TraceDetail = 'full' | 'usual' | 'failures';
