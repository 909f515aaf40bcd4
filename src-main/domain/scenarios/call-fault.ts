import { chanceOf } from '../../base/mix.ts';
import type { Run } from '../run/run.ts';
import type { Scenario } from './scenario.ts';

/** The fault that a call gets in place of its answer, by status code. */
export type CallFault = '429' | '5xx';

/** Seed of the random faults of a run: the scenario's seed or else the run's, so that a rerun repeats them. */
export const scenarioSeed = (scenario: Scenario, seed: Run['seed']): number => scenario.seed ?? seed.random;

/**
 * The fault of one call, if it gets one.
 * @param calls `api`: those about the run; `upstream`: its own
 * @param callId numbers that identify the call; the same call has the same fault each time
 */
export function callFault(
  scenario: Scenario,
  calls: 'api' | 'upstream',
  { seed, position: callId }: { readonly seed: number; readonly position: readonly number[] },
): CallFault | undefined {
  const limited = scenario[`${calls}-429`] ?? 0;
  const broken = scenario[`${calls}-5xx`] ?? 0;
  if (limited === 0 && broken === 0) return undefined;
  const drawn = chanceOf(seed, calls === 'api' ? 1 : 2, ...callId);
  if (drawn < limited) return '429';
  return drawn < limited + broken ? '5xx' : undefined;
}
