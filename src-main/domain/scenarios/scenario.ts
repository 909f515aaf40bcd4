// A scenario: faults, waits and moves that a run goes through on purpose, to test a client. It is an input of the run,
// stored in the run's record. Each part is optional. As text: `queued-for=10s,pause-at=50%` (parse-scenario.ts).

/** After so many rows, or that part of them. */
export type RowPosition = { readonly row: number } | { readonly percent: number };

export type Scenario = {
  /** Stays queued for that long from its acceptance on. */
  readonly 'queued-for'?: number;
  /** This row fails in its first node. */
  readonly 'fail-row'?: number;
  /** Is paused when so many rows are committed, and stays so until it is resumed. */
  readonly 'pause-at'?: RowPosition;
  /** Is cancelled when so many rows are committed. */
  readonly 'cancel-at'?: RowPosition;
  /** Each row waits that long first. */
  readonly slow?: number;
  /** Calls about the run's status and output that are answered 429. */
  readonly 'api-429'?: number;
  /** Those that are answered 500. */
  readonly 'api-5xx'?: number;
  /** The run's own calls to the outside that get 429, without being made. */
  readonly 'upstream-429'?: number;
  /** Those that get 500. */
  readonly 'upstream-5xx'?: number;
  /** Those whose connection is closed without an answer. */
  readonly 'upstream-no-answer'?: number;
  /** The run's own calls take that much longer. */
  readonly 'upstream-slow'?: number;
  /** Seed of the random faults; absent: the run's own seed. */
  readonly seed?: number;
};
export type ScenarioKey = keyof Scenario;

/** In the order of the canonical text. */
export const scenarioKeys = [
  'queued-for',
  'fail-row',
  'pause-at',
  'cancel-at',
  'slow',
  'api-429',
  'api-5xx',
  'upstream-429',
  'upstream-5xx',
  'upstream-no-answer',
  'upstream-slow',
  'seed',
] as const satisfies readonly ScenarioKey[];

/** How many committed rows the place is at; undefined where the run has ended by then. */
export function rowsAt(position: RowPosition, rows: number): number | undefined {
  const at = 'row' in position ? position.row : Math.floor((rows * position.percent) / 100);
  return at < rows ? at : undefined;
}
