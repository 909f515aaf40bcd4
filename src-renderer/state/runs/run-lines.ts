// The lines of the list of runs: a chain is one line, and its attempts follow it when it is unfolded. Pure functions.
import type { ChainCounts, RunView } from '#contract';
import { endedRows } from '../../format/live-counts.ts';
import { bulkRefusal } from '../run/hosted-run.ts';
import { fitFor, isPinned, type RunVerb } from '../run/run-verbs.ts';

export type RunLine = {
  /** The chain's id; of an attempt, both ids. */
  readonly id: string;
  readonly chainId: string;
  /** The newest attempt, or the attempt that the line is of. */
  readonly run: RunView;
  /** Attempts of the chain, newest first. */
  readonly attempts: readonly RunView[];
  /** The line is of one attempt of an unfolded chain. */
  readonly isAttempt?: true;
};

const chainIdOf = ({ runId, chainId = runId }: RunView): string => chainId;

/** The chains, that with the newest attempt first. @param runs newest first */
export function linesOfRuns(runs: readonly RunView[]): readonly RunLine[] {
  const chains = new Map<string, RunView[]>();
  for (const run of runs) {
    const attempts = chains.get(chainIdOf(run));
    if (attempts === undefined) chains.set(chainIdOf(run), [run]);
    else attempts.push(run);
  }
  return [...chains].map(([id, attempts]) => ({ id, chainId: id, run: attempts[0]!, attempts }));
}

/** Lines of which an attempt is among the runs. */
export function linesWith(lines: readonly RunLine[], runs: readonly RunView[]): readonly RunLine[] {
  const chainIds = new Set(runs.map(chainIdOf));
  return lines.filter(({ chainId }) => chainIds.has(chainId));
}

/** The lines with those of the attempts of unfolded chains. */
export const withAttempts = (lines: readonly RunLine[], open: ReadonlySet<string>): readonly RunLine[] =>
  lines.flatMap((line) =>
    line.attempts.length > 1 && open.has(line.id)
      ? [
          line,
          ...line.attempts.map((run) => ({
            ...line,
            id: `${line.id} ${run.runId}`,
            run,
            isAttempt: true as const,
          })),
        ]
      : [line],
  );

type LineRows = Pick<RunView, 'rows' | 'rowsDone' | 'rowsFailed'>;

/** Rows of a line; undefined while the counts of its chain are not known. */
export function rowsOfLine(
  { run, attempts, isAttempt }: RunLine,
  counts: ChainCounts | undefined,
): LineRows | undefined {
  const rows = isAttempt === true ? run.rows : (run.sample?.rows ?? run.rows);
  if (isAttempt === true || attempts.length === 1) return { rows, ...endedRows(run) };
  return counts && { rows: counts.rows, rowsDone: counts.done, rowsFailed: counts.failed };
}

const partTexts = {
  sample: 'Sample',
  rest: 'Rest',
  open: 'Open rows',
  rows: 'Selected rows',
  edited: 'Fixed rows',
} as const;

/** The rows of an attempt in words. */
export const partText = ({ part }: RunView): string => (part === undefined ? 'All rows' : partTexts[part]);

/** Runs that an action on lines applies to. Name, tags and pin of a chain are those of its first run. */
export const fitOf = (verb: RunVerb, lines: readonly RunLine[]): readonly RunView[] =>
  possibleFor(verb, lines).filter((run) => bulkRefusal(verb, run) === undefined);

/** Why an action applies to none of the lines, although it could; undefined without such a reason. */
export const bulkRefusalOf = (verb: RunVerb, lines: readonly RunLine[]): string | undefined =>
  possibleFor(verb, lines)
    .map((run) => bulkRefusal(verb, run))
    .find((reason) => reason !== undefined);

const possibleFor = (verb: RunVerb, lines: readonly RunLine[]): readonly RunView[] =>
  fitFor(
    verb,
    lines.flatMap(({ attempts }) => {
      if (attempts.length === 1 || !/pin|rerun/.test(verb) || verb === 'unpin') return attempts;
      return verb === 'pin' && !attempts.some(isPinned) ? attempts.slice(-1) : [];
    }),
  );

/** Ids of the lines that a list shows, in its order. */
export type FrozenLines = { readonly ids: readonly string[]; readonly oldest: string };

/** Undefined if the list is empty. */
export function freezeLines(shown: readonly RunLine[]): FrozenLines | undefined {
  const oldest = shown.at(-1);
  return oldest && { ids: shown.map(({ id }) => id), oldest: oldest.run.runId };
}

/**
 * The list while the user hovers over it. Its lines keep their positions and show their new state, even if they no longer
 * match the filter. Newer ones wait; older ones are appended.
 * @param fitting lines that match the filter
 * @returns `waiting`: number of lines that wait
 */
export function applyFrozenOrder(
  frozen: FrozenLines | undefined,
  fitting: readonly RunLine[],
  all: readonly RunLine[],
): { readonly lines: readonly RunLine[]; readonly waiting: number } {
  if (frozen === undefined) return { lines: fitting, waiting: 0 };
  const byId = new Map(all.map((line) => [line.id, line]));
  const ids = new Set(frozen.ids);
  const others = fitting.filter(({ id }) => !ids.has(id));
  const older = others.filter(({ run }) => run.runId < frozen.oldest);
  const lines = [...frozen.ids.flatMap((id) => byId.get(id) ?? []), ...older];
  return lines.length === 0
    ? { lines: fitting, waiting: 0 }
    : { lines, waiting: others.length - older.length };
}
