// One run in this worker: its steps, and the rows that the main process handed over. Rows are
// started in order; those that wait overlap, up to `rowsInFlight`.
// INVARIANT: between two turns of the event loop at most one piece of author code is at work.
import type { Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { rowNumberAt } from '../../domain/run/row-numbers.ts';
import type { Plan } from '../plan.ts';
import type { CallPlace, UpstreamRequest } from '../ports.ts';
import type { CallOver, LoadRun, Portion } from '../protocol.ts';
import { Asked } from './asked.ts';
import { compilePlan } from './compile-plan.ts';
import { readGivenValues } from './given-values.ts';
import { Holds } from './holds.ts';
import type { MainChannel } from './main-channel.ts';
import { NodeCounts } from './node-counts.ts';
import { NodeError, toNodeError } from './node-error.ts';
import { plainCopy } from './plain-value.ts';
import { PortionResults, type RowEnd } from './portion-results.ts';
import { callNote } from './row-notes.ts';
import { assertWanted, notWanted, ownRun, type RowRun } from './row-run.ts';
import type { RowRunner } from './row-runner.ts';
import type { Sandboxes } from './sandboxes.ts';
import type { AttemptLimit } from './step.ts';

/** A batch gives way to messages this often, in ms, so that a pause is heard while rows are plentiful. */
const turnMs = 50;

export type SessionParts = {
  readonly channel: MainChannel;
  readonly clock: Clock;
  /** Computing time of this process so far, in ms. */
  readonly cpuMs: () => number;
  readonly nextTurn: () => Promise<void>;
  readonly sandboxes: Sandboxes;
  /** Told of a fault that is not the row's; the worker cannot go on after it. */
  readonly onBroken: (error: unknown) => void;
};

export class RunSession {
  readonly #parts: SessionParts;
  readonly #plan: Plan;
  readonly #nodeIds: readonly string[];
  readonly #rowsInFlight: number;
  readonly #runner: RowRunner;
  readonly #holds: Holds;
  readonly #waits = new Asked();
  readonly #calls = new Asked<CallOver>();
  readonly #queue: Portion[] = [];
  #inFlight = 0;
  #slotFree: Deferred<void> | undefined;
  #isPumping = false;
  #turnStarted = 0;
  /** Messages that set rows going. */
  #heard = 0;
  readonly #tellsRest: boolean;
  #isRestDue = false;

  constructor(load: LoadRun, parts: SessionParts) {
    const { channel, clock, cpuMs, nextTurn, sandboxes } = parts;
    this.#parts = parts;
    this.#plan = sandboxes.serve(load.planText);
    this.#rowsInFlight = load.rowsInFlight;
    this.#tellsRest = load.tellsRest;
    this.#holds = new Holds((nth) => channel.send({ type: 'held', nth }));
    this.#nodeIds = this.#plan.nodes.map(({ id }) => id);
    this.#runner = compilePlan(this.#plan, load.scenario, {
      seed: load.seed,
      sandboxes,
      timeLimitMs: load.timeLimitMs,
      holds: this.#holds,
      channel,
      clock,
      cpuMs,
      nextTurn,
      wait: (ms, run) => this.#wait(ms, run),
      call: (request, run, place) => this.#call(request, run, place),
      settle: (promise, limit) => this.#settle(promise, limit),
    });
  }

  /** Some are under way, or wait for their turn. */
  get hasRows(): boolean {
    return this.#isPumping || this.#inFlight > 0;
  }

  add(portion: Portion): void {
    this.#heard += 1;
    this.#queue.push(portion);
    // Taken note of even when rows that wait are in its way.
    this.#restSoon();
    if (this.#isPumping) return;
    this.#isPumping = true;
    this.#pump().catch(this.#parts.onBroken);
  }

  endWait(wait: number): void {
    this.#heard += 1;
    if (!this.#waits.answer(wait, undefined)) this.#restSoon();
  }

  endCall(over: CallOver): void {
    this.#heard += 1;
    if (!this.#calls.answer(over.call, over)) return this.#restSoon();
    // After what the attempt makes of the answer, which is still part of it.
    this.#parts
      .nextTurn()
      .then(() => this.#holds.endCall())
      .catch(this.#parts.onBroken);
  }

  pause(nth: number): void {
    this.#holds.pause(nth);
  }

  resume(): void {
    this.#holds.resume();
  }

  async #pump(): Promise<void> {
    this.#turnStarted = this.#parts.clock.monotonic();
    for (let portion = this.#queue.shift(); portion !== undefined; portion = this.#queue.shift()) {
      await this.#startRows(portion);
      await this.#giveWay();
    }
    this.#isPumping = false;
    this.#restSoon();
  }

  async #startRows(portion: Portion): Promise<void> {
    const counts = new NodeCounts(this.#nodeIds);
    const results = new PortionResults(portion, counts, this.#plan.onRowError === 'fail');
    const given = portion.given === undefined ? [] : readGivenValues(portion.given);
    const lines = Buffer.from(portion.bytes.buffer, portion.bytes.byteOffset, portion.bytes.byteLength)
      .toString('utf8')
      .split('\n');
    for (let index = 0; index < portion.rows; index += 1) {
      while (this.#holds.any) await this.#holds.over();
      if (!results.wants(index)) return;
      const source = { portion, results, position: portion.firstRow + index, given: given[index] };
      const end = this.#runner.execute(rowNumberAt(portion, index), lines[index] ?? '', source);
      if (!(end instanceof Promise)) {
        if (results.end(index, end)) this.#finish(results);
        if (this.#runner.now - this.#turnStarted > turnMs) await this.#giveWay();
        continue;
      }
      this.#endLater(results, index, end).catch(this.#parts.onBroken);
      while (this.#inFlight >= this.#rowsInFlight) {
        this.#slotFree ??= deferred();
        this.#restSoon();
        await this.#slotFree.promise;
      }
    }
  }

  async #endLater(results: PortionResults, index: number, end: Promise<RowEnd>): Promise<void> {
    this.#inFlight += 1;
    const isLast = results.end(index, await end);
    this.#inFlight -= 1;
    this.#slotFree?.resolve();
    this.#slotFree = undefined;
    if (isLast) this.#finish(results);
    this.#restSoon();
  }

  /**
   * Reports the portion. What rows after a failed one still ask for is called off by that, and no answer comes: they
   * end here, so that no pause and no other row waits for them.
   */
  #finish(results: PortionResults): void {
    const done = results.done();
    this.#parts.channel.send(done);
    this.#waits.drop(done.portion, notWanted);
    const calls = this.#calls.drop(done.portion, notWanted);
    for (let call = 0; call < calls; call += 1) this.#holds.endCall();
  }

  /** Looks, once all that is under way has come as far as it can, whether there is nothing left but to wait. */
  #restSoon(): void {
    if (!this.#tellsRest || this.#isRestDue) return;
    this.#isRestDue = true;
    const look = (): void => {
      this.#isRestDue = false;
      if (this.#isResting) this.#parts.channel.send({ type: 'resting', heard: this.#heard });
    };
    this.#parts.nextTurn().then(look).catch(this.#parts.onBroken);
  }

  /** Rows in an author's own promise, or held back, are in flight without a wait: they go on by themselves. */
  get #isResting(): boolean {
    const startsNoRow = !this.#isPumping || this.#slotFree !== undefined;
    return startsNoRow && this.#waits.size > 0 && this.#waits.size === this.#inFlight;
  }

  async #giveWay(): Promise<void> {
    await this.#parts.nextTurn();
    this.#turnStarted = this.#parts.clock.monotonic();
  }

  async #wait(ms: number, run: RowRun): Promise<void> {
    assertWanted(run);
    const { id, answer } = this.#waits.add(run.portion.id);
    this.#parts.channel.send({ type: 'wait', wait: id, portion: run.portion.id, ms });
    this.#restSoon();
    await answer;
  }

  async #call(request: UpstreamRequest, run: RowRun, place: CallPlace): Promise<CallOver> {
    assertWanted(run);
    const { id, answer } = this.#calls.add(run.portion.id);
    this.#holds.startCall();
    this.#parts.channel.send({ type: 'call', call: id, portion: run.portion.id, place, request });
    const over = await answer;
    // Not the notes from before: the row may have ended without the answer.
    const { notes, node } = ownRun(run);
    notes?.called(callNote(node, request, over));
    return over;
  }

  /**
   * Author code that awaits can only await itself: nothing outside ever wakes it. So it has the turn until its
   * promise settles, and a promise that never does is found by the time limit.
   */
  #settle(promise: Promise<unknown>, limit: AttemptLimit): Promise<unknown> {
    this.#holds.takeTurn();
    const settled = deferred<unknown>();
    const cancel = this.#parts.clock.setTimer(limit.computeMs, () =>
      settled.reject(new NodeError(limit.overtime)),
    );
    const fail = (error: unknown): void => settled.reject(toNodeError(error));
    const onValue = (value: unknown): void => {
      try {
        settled.resolve(plainCopy(value));
      } catch (error) {
        fail(error);
      }
    };
    try {
      // The method itself, not `promise.then`: an author can put anything there, and even so it may throw, since it
      // reads the promise's `constructor`. What is resolved with is a plain copy.
      void Promise.prototype.then.call(promise, onValue, fail);
    } catch (error) {
      fail(error);
    }
    return settled.promise.finally(() => {
      cancel();
      this.#holds.endTurn();
    });
  }
}
