// The sides of a comparison as users name them: a run, or the attempts of its chain up to one of them. Who calls: comparisons.
import { AppError } from '../../base/app-error.ts';
import type { ComparedSide } from '../../domain/query/compare-runs.ts';
import { comparedRunNotFound, noSuchAttempt, tooManyAttempts } from '../../domain/run-errors.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunRecords } from '../ports.ts';
import type { RunService } from '../runs/run-service.ts';
import { maxMergedAttempts } from './latest-rows.ts';

export type FoundSide = {
  /** The whole id of the run, with `~N` if the side is its chain up to attempt N. */
  readonly name: string;
  readonly runIds: ComparedSide;
  /** The newest run of the side. */
  readonly newest: Run;
};

export type SideDeps = {
  readonly runs: RunService;
  readonly store: Pick<RunRecords, 'attemptsOf'>;
};

/**
 * @param text an id, or 4 or more characters of its beginning or end; with `~N`, its chain up to attempt N
 *
 * Throws `run_not_found` with the text, so that the user learns which of two runs there is not.
 */
export async function findSide(deps: SideDeps, text: string): Promise<FoundSide> {
  const [, id = text, attempts] = /^(.+)~(\d{1,4})$/.exec(text) ?? [];
  const run = await findRun(deps, id);
  return attempts === undefined
    ? { name: run.runId, runIds: [run.runId], newest: run }
    : chainSide(deps, run, Number(attempts));
}

/** The chain of the run up to an attempt; without a number, up to the last one. Throws `invalid_input`. */
export async function chainSide(deps: SideDeps, run: Run, upTo?: number): Promise<FoundSide> {
  if (upTo !== undefined && upTo > maxMergedAttempts) throw tooManyAttempts(maxMergedAttempts);
  const attempts = await deps.store.attemptsOf(chainIdOf(run), maxMergedAttempts);
  const last = upTo ?? attempts.length;
  const newestId = attempts[last - 1];
  if (newestId === undefined) throw noSuchAttempt(`${run.runId}~${last}`, attempts.length);
  const runIds = attempts.slice(0, last);
  const newest = newestId === run.runId ? run : await findRun(deps, newestId);
  // One attempt is a run like any other, unless the name would then be another run.
  const name = runIds.length === 1 && newestId === run.runId ? newestId : `${run.runId}~${last}`;
  return { name, runIds, newest };
}

async function findRun({ runs }: SideDeps, text: string): Promise<Run> {
  try {
    return (await runs.get(await runs.resolve(text))).run;
  } catch (error) {
    throw error instanceof AppError && error.code === 'run_not_found' ? comparedRunNotFound(text) : error;
  }
}
