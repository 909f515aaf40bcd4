// Applies a run's scenario to its calls to the outside: a share of them fails before any network, and all may take
// longer. Who calls: the code that builds a run's upstream, as the outermost layer; a call that fails here is not made.
// INVARIANT: the same attempt of the same node on the same row has the same result in every run with the same seed.
import type { Clock } from '../../base/clock.ts';
import { mixText } from '../../base/mix.ts';
import { sleep } from '../../base/sleep.ts';
import type { Run } from '../../domain/run/run.ts';
import { callFault, faultShares, scenarioSeed, type CallFault } from '../../domain/scenarios/call-fault.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import { describeDuration } from '../../domain/duration.ts';
import { defaultBounds } from './bounds.ts';
import type { CallContext, Upstream, UpstreamAnswer, UpstreamRequest } from '../ports.ts';

const parts = [...faultShares.upstream, 'upstream-slow'] as const;

/** @param clock clock of slow calls; on the run's virtual clock they take no time */
export function scenarioUpstream(
  inner: Upstream,
  { scenario = {}, seed, clock: runClock }: Pick<Run, 'scenario' | 'seed' | 'clock'>,
  clock: Clock,
): Upstream {
  if (parts.every((part) => scenario[part] === undefined)) return inner;
  return new ScenarioUpstream(inner, {
    scenario,
    seed: scenarioSeed(scenario, seed),
    clock: runClock === 'virtual' ? undefined : clock,
  });
}

type ScenarioUpstreamOptions = {
  readonly scenario: Scenario;
  /** 32-bit unsigned. */
  readonly seed: number;
  /** Absent: waits take no time, but still exceed shorter timeouts. */
  readonly clock: Clock | undefined;
};

class ScenarioUpstream implements Upstream {
  readonly #inner: Upstream;
  readonly #options: ScenarioUpstreamOptions;

  constructor(inner: Upstream, options: ScenarioUpstreamOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  async call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer> {
    const { scenario, seed } = this.#options;
    // The calls in it have faults.
    if (around.runInWorker !== undefined) return this.#inner.call(request, around);
    const slowMs = scenario['upstream-slow'] ?? 0;
    const maxWaitMs = request.timeoutMs ?? defaultBounds.headMs;
    await this.#wait(Math.min(slowMs, maxWaitMs), around.signal);
    if (slowMs >= maxWaitMs) {
      const after = describeDuration(maxWaitMs);
      return { kind: 'failed', message: `was not answered within ${after} (scenario upstream-slow)` };
    }
    const { row, site, attempt, shared = { seed: row, site } } = around.origin;
    const position = [shared.seed, mixText(shared.site), attempt];
    const fault = callFault(scenario, 'upstream', { seed, position });
    if (fault !== undefined) return answers[fault];
    const { timeoutMs } = request;
    return this.#inner.call(
      timeoutMs === undefined ? request : { ...request, timeoutMs: timeoutMs - slowMs },
      around,
    );
  }

  differingRequests(): number {
    return this.#inner.differingRequests?.() ?? 0;
  }

  async close(): Promise<void> {
    await this.#inner.close?.();
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    if (ms > 0 && clock !== undefined) await sleep(clock, ms, signal);
  }
}

const answer = (status: number, body: string, retryAfterMs?: number): UpstreamAnswer => ({
  kind: 'answered',
  status,
  headers: [
    ['content-type', 'application/json'],
    ...(retryAfterMs === undefined ? [] : [['retry-after', String(retryAfterMs / 1000)] as const]),
  ],
  body: Buffer.from(JSON.stringify({ error: body })),
  by: 'scenario',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** Value of `Retry-After`, in ms: short, since the user is trying out a workflow. */
const retryAfterMs = 1000;

const answers: Readonly<Record<CallFault, UpstreamAnswer>> = {
  '429': answer(429, 'scenario upstream-429', retryAfterMs),
  '5xx': answer(500, 'scenario upstream-5xx'),
  'no-answer': {
    kind: 'failed',
    message: 'was not answered: the connection was closed (scenario upstream-no-answer)',
  },
};
