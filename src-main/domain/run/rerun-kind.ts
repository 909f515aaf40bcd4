// How a rerun relates to the run that it repeats: whether it may be an attempt of the same chain (`chain.ts`), and whether
// comparisons match rows by number. Decided when a run is accepted.
import { isSameJson } from '../../base/json-value.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { RunMode } from './run-mode.ts';

/**
 * `completes`: it has rows of that run, edited or not, under their numbers, and its calls are answered in the same way.
 * `otherAnswers`: the same, but a mock, a replay, a scenario or a hosted service answers in one of both runs, or another
 * one in each.
 * `otherRows`: its rows have no numbers of that run.
 */
export const rerunKinds = ['completes', 'otherAnswers', 'otherRows'] as const;
export type RerunKind = (typeof rerunKinds)[number];

/** The options of a run that decide how its calls are answered. */
type AnswerOptions = {
  readonly mode?: RunMode | undefined;
  readonly mocks?: Readonly<Record<string, string>> | undefined;
  readonly scenario?: Scenario | undefined;
  /** The hosted service at which the run is; absent: it executes here. */
  readonly hosted?: { readonly connection: string } | undefined;
};

export function rerunKind(
  original: AnswerOptions,
  rerun: AnswerOptions,
  { keepsNumbers }: { readonly keepsNumbers: boolean },
): RerunKind {
  if (!keepsNumbers) return 'otherRows';
  return isSameJson(answersOf(original), answersOf(rerun)) ? 'completes' : 'otherAnswers';
}

/** Calls that are recorded are real calls too. */
const answersOf = ({ mode = 'live', mocks = {}, scenario = {}, hosted }: AnswerOptions) => ({
  mode: mode === 'record' || mode === 'fill' ? 'live' : mode,
  mocks: sorted(mocks),
  scenario: sorted(scenario),
  connection: hosted?.connection,
});

const sorted = (options: object) => Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1));

/** Why merged results leave the rerun out; undefined if it is an attempt of that run's chain, or repeats none. */
export function whyNotMerged({
  rerunKind: kind,
  chainId,
}: {
  readonly rerunKind?: RerunKind | undefined;
  readonly chainId?: string | undefined;
}): string | undefined {
  if (kind === undefined || chainId !== undefined) return undefined;
  if (kind === 'otherRows') return 'its rows have no numbers of that run';
  return kind === 'otherAnswers' ? 'its calls are answered in another way' : 'it runs all rows again';
}
