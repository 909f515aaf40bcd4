// The behaviour of a row in a model run, and its expected effect on the run.

/**
 * `work`: computes until the test lets it end. `wait`: waits, then computes. `call`: asks a service outside, and then
 * may go on with another node. `crash`: takes its worker along, each time that it is tried.
 */
export type RowDoes = 'done' | 'fail' | 'work' | 'wait' | 'call' | 'call, then go on' | 'crash';
export const calls = ({ does }: ModelRow): boolean => does === 'call' || does === 'call, then go on';
export type ModelRow = { readonly n: number; readonly does: RowDoes };

export const minute = 60_000;
/** Each row that waits waits for as many minutes as its number's last digit, and one more. */
export const waitOf = ({ n }: ModelRow): number => ((n % 10) + 1) * minute;

export const outputOf = ({ n }: ModelRow): string => JSON.stringify({ n });
const failsIn = ({ does }: ModelRow): boolean => does === 'fail' || does === 'crash';

/** `calls` skips failed rows too; since it reaches out, its rows go to workers one by one. */
export const flows = ['skips', 'fails', 'calls'] as const;
export type Flow = (typeof flows)[number];

/** Distinct for each version, in text and size. */
export const workflowText = (flow: Flow, version: number): string => `rowbench: 1
id: ${flow}
concurrency: 3
onRowError: ${flow === 'fails' ? 'fail' : 'skip'}
nodes:
  - { id: input, type: input }
  - { id: wait, ${flow === 'calls' ? 'type: http, request: { url: "https://outside.example/" }' : 'type: delay, for: 1m'} }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n", version: "${'v'.repeat(version)}" } }
`;

/** The lines of a run that has come to its own end. */
export function expectedLines(rows: readonly ModelRow[], flow: Flow): string[] {
  const firstFailed = rows.findIndex(failsIn);
  const reached = flow === 'fails' && firstFailed >= 0 ? rows.slice(0, firstFailed + 1) : rows;
  return reached.map((row) => (failsIn(row) ? '' : outputOf(row)));
}
