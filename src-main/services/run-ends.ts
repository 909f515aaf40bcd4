// Lets those who ask for a run that has just been accepted wait a moment for its end. A small run takes a few
// milliseconds: its client is told the end at the first call in place of asking twice more, or a second later.
import type { Clock } from '../base/clock.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Run } from '../domain/run/run.ts';
import type { RunFact } from './run-service.ts';

/**
 * In ms, after a run's acceptance: small runs have ended by then, and so long a person takes for no time at all. Of an older
 * one nobody waits for the end, so that whoever asks for many long runs in turn is not held up.
 */
const youthMs = 100;

type Awaited = { run: Run; readonly end: Deferred };
type RunEndsParts = { readonly facts: Emitter<RunFact>; readonly clock: Clock };

export class RunEnds {
  readonly #clock: Clock;
  /** Runs whose end somebody waits for, as they are by now. */
  readonly #awaited = new Map<string, Awaited>();

  constructor({ facts, clock }: RunEndsParts) {
    this.#clock = clock;
    facts.listen(({ run }) => {
      const awaited = this.#awaited.get(run.runId);
      if (awaited === undefined) return;
      awaited.run = run;
      if (!isUnderWay(run)) awaited.end.resolve();
    });
  }

  /** The run as it is when it is no longer on its way, or no longer young. One with a scenario is there to be seen. */
  async soon(run: Run): Promise<Run> {
    const left = this.#youthLeft(run);
    if (!isUnderWay(run) || run.scenario !== undefined || left <= 0) return run;
    const { runId } = run;
    const awaited = this.#awaited.get(runId) ?? { run, end: deferred() };
    this.#awaited.set(runId, awaited);
    const cancel = this.#clock.setTimer(left, awaited.end.resolve);
    await awaited.end.promise;
    cancel();
    if (this.#awaited.get(runId) === awaited) this.#awaited.delete(runId);
    return awaited.run;
  }

  /** In ms. A wall clock that was set says nothing of it. */
  #youthLeft({ acceptedAt }: Run): number {
    const age = this.#clock.now() - Date.parse(acceptedAt);
    return age < 0 ? 0 : youthMs - age;
  }
}

const isUnderWay = ({ status }: Run): boolean => status === 'queued' || status === 'running';
