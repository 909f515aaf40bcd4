// Calls to the HTTP interface: their limits, faults on request, and their log.
import type { Platform } from '../platform.ts';
import { CallLog } from './call-log.ts';
import { LimitService, type OpenCall } from './limit-service.ts';
import { ReplayTokens } from './replay-tokens.ts';
import { LruMap } from '../../base/lru-map.ts';
import { scenarioFailed, scenarioLimited } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { callFault, scenarioSeed } from '../../domain/scenarios/call-fault.ts';

export type ApiRoom = ReturnType<typeof openApi>;

export const openApi = ({ clock, log, settings, backend: { windows } }: Platform) => ({
  limits: new LimitService({ windows, mode: () => settings().limits }),
  apiFaults: new ApiFaults(),
  callLog: new CallLog({ log }),
  replayTokens: new ReplayTokens(clock),
});

// Answers that a run's scenario spoils: a share of the calls about its status and output. Who calls: the public API,
// once a call has passed every check.
// INVARIANT: the nth call about a run since the start of the process always fares the same.

/** Runs whose calls are counted; the counts of the least recently called start again. */
const maxRuns = 1000;

class ApiFaults {
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
