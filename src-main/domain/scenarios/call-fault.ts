import { chanceOf } from '../../base/mix.ts';
import type { Run } from '../run/run.ts';
import type { Scenario, ScenarioKey } from './scenario.ts';

/** The fault that a call gets in place of its answer: by status code, or a connection that is closed without an answer. */
export type CallFault = '429' | '5xx' | 'no-answer';

/** Parts of a scenario that are shares of the same calls, in the order in which a drawn number chooses one. */
export const faultShares = {
  api: ['api-429', 'api-5xx'],
  upstream: ['upstream-429', 'upstream-5xx', 'upstream-no-answer'],
} as const satisfies Record<string, readonly ScenarioKey[]>;

/** Seed of the random faults of a run: the scenario's seed or else the run's, so that a rerun repeats them. */
export const scenarioSeed = (scenario: Scenario, seed: Run['seed']): number => scenario.seed ?? seed.random;

/**
 * The fault of one call, if it gets one.
 * @param calls `api`: those about the run; `upstream`: its own
 * @param callId numbers that identify the call; the same call has the same fault each time
 */
export function callFault(
  scenario: Scenario,
  calls: keyof typeof faultShares,
  { seed, position: callId }: { readonly seed: number; readonly position: readonly number[] },
): CallFault | undefined {
  const shares = faultShares[calls].filter((part) => scenario[part] !== undefined);
  if (shares.length === 0) return undefined;
  const drawn = chanceOf(seed, calls === 'api' ? 1 : 2, ...callId);
  let end = 0;
  for (const part of shares) {
    end += scenario[part] ?? 0;
    if (drawn < end) return part.slice(calls.length + 1) as CallFault;
  }
  return undefined;
}
