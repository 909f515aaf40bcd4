import type { ReadReport } from './read-remarks.ts';

/**
 * Turns the text of a rows file, handed over in pieces cut anywhere, into rows: one line of JSON each, without
 * the newline. Memory stays bounded by the longest row. Both methods throw `invalid_input` that names the place.
 */
export interface RowTextReader {
  /** The rows that this piece completes. */
  push(text: string): string[];
  /** The rows left over; to be called once, after the last piece. */
  end(): string[];
  /** How the text was read; complete after `end`. */
  report(): ReadReport;
}
