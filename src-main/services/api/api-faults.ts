// Answers that a run's scenario spoils: a share of the calls about its status and output. Who calls: the public API,
// once a call has passed every check.
// INVARIANT: the nth call about a run since the start of the process always fares the same.
import { LruMap } from '../../base/lru-map.ts';
import { scenarioFailed, scenarioLimited } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { callFault, scenarioSeed } from '../../domain/scenarios/call-fault.ts';
import type { OpenCall } from './limit-service.ts';

/** Runs whose calls are counted; the counts of the least recently called start again. */
const maxRuns = 1000;

export class ApiFaults {
  readonly #calls = new LruMap<string, number>({ maxEntries: maxRuns });

  /** Throws `rate_limited`, and then the call is charged to nothing, or `scenario_failed`, or lets the call pass. */
  async strike({ runId, scenario, seed }: Run, call: Pick<OpenCall, 'refund'>): Promise<void> {
    if (scenario?.['api-429'] === undefined && scenario?.['api-5xx'] === undefined) return;
    const nth = this.#count(runId);
    const fault = callFault(scenario, 'api', { seed: scenarioSeed(scenario, seed), position: [nth] });
    if (fault === '429') {
      await call.refund();
      throw scenarioLimited();
    }
    if (fault === '5xx') throw scenarioFailed();
  }

  #count(runId: string): number {
    const nth = (this.#calls.get(runId) ?? 0) + 1;
    this.#calls.set(runId, nth);
    return nth;
  }
}
