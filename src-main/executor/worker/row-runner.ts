// Runs one row through the plan's steps. A row whose nodes are all synchronous runs without a promise; the first
// node that waits makes the rest of its row asynchronous, and other rows go on meanwhile.
import type { Clock } from '../../base/clock.ts';
import type { RowScenario } from '../plan.ts';
import { retryDelayMs } from '../retry-delay.ts';
import { ForcedError } from './forced-error.ts';
import type { Holds } from './holds.ts';
import { nodeStarted } from './node-started.ts';
import type { MainChannel } from './main-channel.ts';
import { describeThrown, NodeError } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';
import type { RowEnd } from './portion-results.ts';
import { ended, type Ended } from './row-notes.ts';
import { membersOf, valueOf, type Members, type RowOutput } from './row-output.ts';
import { assertWanted, beginRow, type RowRun, type RowSource } from './row-run.ts';
import { RowTracer } from './row-tracer.ts';
import type { Sandbox, Scope } from './sandbox.ts';
import type { Step } from './step.ts';

export type RowRunnerParts = {
  readonly steps: readonly Step[];
  /** Of those steps. */
  readonly output: RowOutput;
  readonly scenario: RowScenario;
  readonly sandbox: Sandbox;
  /** Whether author code could change a row, or what a node gives. */
  readonly freezesRows: boolean;
  readonly holds: Holds;
  readonly channel: MainChannel;
  readonly clock: Clock;
  /** Of one attempt, at most, in ms. */
  readonly timeLimitMs: number;
  /** Computing time of this process so far, in ms. */
  readonly cpuMs: () => number;
  /** Ends when the main process says so. */
  readonly wait: (ms: number, scope: Scope) => Promise<void>;
};

/** How stale, in ms, the computing time before an attempt may be: the attempt is charged with that much too much. */
const cpuSampleMs = 100;

export class RowRunner {
  readonly #parts: RowRunnerParts;
  readonly #output: RowOutput;
  readonly #tracer: RowTracer;
  readonly #blank: readonly undefined[];
  /** When the last attempt of any row ended, well or not, or the row under way began. */
  #now = 0;
  /** The computing time a moment before the attempt under way; asked for seldom, since it costs more than a node. */
  #cpu = { at: 0, ms: 0 };

  constructor(parts: RowRunnerParts) {
    this.#parts = parts;
    this.#output = parts.output;
    this.#tracer = new RowTracer(parts.steps);
    this.#blank = parts.steps.map(() => undefined);
  }

  /** The monotonic time when something of a row that has not waited was last at work: as good as now right after it. */
  get now(): number {
    return this.#now;
  }

  /** Runs the row; `text` is its JSON. Never throws for the row's fault. */
  execute(row: number, text: string, source: RowSource): RowEnd | Promise<RowEnd> {
    const { steps, scenario, wait, clock } = this.#parts;
    this.#now = clock.monotonic();
    // What a called workflow does is part of the node that called it.
    const notes = source.caller === undefined ? this.#tracer.begin(source.portion) : undefined;
    const run = beginRow(source, { row, blank: this.#blank, notes, now: this.#now });
    if (!this.#readRow(run, text)) return this.#end(run);
    if (scenario.slowMs !== undefined) return this.#goOn(run, -1, this.#lag(run, wait(scenario.slowMs, run)));
    for (let place = 0; place < steps.length; place += 1) {
      const step = steps[place];
      if (step === undefined) break;
      const later = this.#node(step, run);
      if (later !== undefined) return this.#goOn(run, place, later);
      if (run.failure !== undefined) break;
    }
    return this.#end(run);
  }

  /** False for stored bytes that are no row, which only a damaged file holds. */
  #readRow(run: RowRun, text: string): boolean {
    try {
      const row: unknown = JSON.parse(text);
      run.input = this.#parts.freezesRows ? freezeParsed(row) : row;
      return true;
    } catch (error) {
      this.#failAtStart(run, `the row cannot be read: ${describeThrown(error)}`);
      return false;
    }
  }

  /** A wait before the first node, which ends without the row when nothing can come of it any more. */
  async #lag(run: RowRun, wait: Promise<void>): Promise<void> {
    try {
      await wait;
    } catch (error) {
      this.#failAtStart(run, describeThrown(error));
    }
  }

  #failAtStart(run: RowRun, message: string): void {
    run.failure = { row: run.row, nodeId: this.#parts.steps[0]?.nodeId ?? '', message, attempts: 1 };
    run.attempts = 1;
    this.#note(run, ended.failed, this.#now);
  }

  async #goOn(run: RowRun, place: number, later: Promise<void>): Promise<RowEnd> {
    const { steps, holds } = this.#parts;
    run.hasWaited = true;
    await later;
    for (const step of steps.slice(place + 1)) {
      if (run.failure !== undefined) break;
      while (holds.any) await holds.over();
      await this.#node(step, run);
    }
    return this.#end(run);
  }

  #end(run: RowRun): RowEnd {
    const { retries, failure, retryAfterMs } = run;
    const now = run.hasWaited ? this.#parts.clock.monotonic() : this.#now;
    this.#parts.channel.beat(now);
    const durationMicros = (now - run.startedAt) * 1000;
    const { notes } = run;
    // What author code left behind may still log: no longer into the notes, which another row has by then.
    run.notes = undefined;
    const trace = notes && this.#tracer.end(run, notes, durationMicros);
    if (failure !== undefined) return { failure, retryAfterMs, retries, durationMicros, trace };
    return { output: this.#output.line(run.members), retries, durationMicros, trace };
  }

  /** Runs a node to its end, retries and `onError` included: a value in place, or `run.failure`. */
  #node(step: Step, run: RowRun): Promise<void> | undefined {
    run.node = step.place;
    run.attempt = 1;
    run.index = 0;
    run.item = undefined;
    run.attempts = 0;
    run.nodeStartedAt = run.hasWaited ? this.#parts.clock.monotonic() : this.#now;
    if (this.#failsOnPurpose(step, run) || this.#isGiven(step, run)) return undefined;
    try {
      this.#refuseForced(step, run);
      if (step.when !== undefined) {
        this.#enter(step, run);
        if (!step.when(run)) {
          this.#note(run, ended.skipped, run.nodeStartedAt);
          return undefined;
        }
      }
      const value = step.each === undefined ? this.#attempts(step, run) : this.#items(step, run);
      if (value instanceof Promise) return this.#take(step, run, value);
      this.#record(step, run, value);
      this.#note(run, ended.done, this.#now);
    } catch (error) {
      this.#fail(step, run, error);
    }
    return undefined;
  }

  /** In the first node after the input: it takes no part in what the node says about errors. */
  #failsOnPurpose({ place, nodeId }: Step, run: RowRun): boolean {
    if (run.row !== this.#parts.scenario.failRow || place !== 1) return false;
    run.failure = { row: run.row, nodeId, message: 'scenario fail-row', attempts: 1 };
    run.attempts = 1;
    this.#note(run, ended.failed, run.nodeStartedAt);
    return true;
  }

  /** The node ran in an earlier run of the row, and its value still holds. */
  #isGiven({ nodeId, place }: Step, run: RowRun): boolean {
    if (run.given === undefined || !run.given.has(nodeId)) return false;
    run.values[place] = run.given.get(nodeId);
    this.#note(run, ended.reused, run.nodeStartedAt);
    return true;
  }

  async #take(step: Step, run: RowRun, value: Promise<unknown>): Promise<void> {
    try {
      this.#record(step, run, await value);
      this.#note(run, ended.done, this.#parts.clock.monotonic());
    } catch (error) {
      this.#fail(step, run, error);
    }
  }

  #record(step: Step, run: RowRun, value: unknown): void {
    if (step.fields === undefined) run.values[step.place] = value;
    // Output nodes have no `each`, and their runners give members.
    else this.#recordMembers(step, run, value as Members);
  }

  /** The end of the node under way. */
  #note(run: RowRun, how: Ended, now: number): void {
    const note = run.notes?.nodes[run.node];
    if (note === undefined) return;
    note.end = how;
    note.micros = Math.max(0, Math.round((now - run.nodeStartedAt) * 1000));
    note.attempts = run.attempts;
  }

  /** After a node that threw: what it took is its own and its row's, and not the next node's. */
  #lookAtClock(): number {
    this.#now = this.#parts.clock.monotonic();
    return this.#now;
  }

  #recordMembers(step: Step, run: RowRun, members: Members): void {
    run.members[step.place] = members;
    if (step.isRead) run.values[step.place] = valueOf(members);
  }

  #fail(step: Step, run: RowRun, error: unknown): void {
    const attempts = error instanceof ForcedError ? error.attempts : run.attempt;
    let message = describeThrown(error);
    if (step.onError !== undefined) {
      try {
        this.#enter(step, run);
        const value = step.onError(run);
        if (step.fields === undefined) run.values[step.place] = value;
        else this.#recordMembers(step, run, membersOf(step.fields, value));
        this.#note(run, ended.replaced, this.#lookAtClock());
        return;
      } catch (second) {
        message = `${message}; then onError: ${describeThrown(second)}`;
      }
    }
    this.#note(run, ended.failed, this.#lookAtClock());
    run.failure = { row: run.row, nodeId: step.nodeId, message, attempts };
    run.retryAfterMs = error instanceof NodeError ? error.retryAfterMs : 0;
  }

  #refuseForced(step: Step, run: RowRun): void {
    if (run.portion.forced.length === 0) return;
    const fault = run.portion.forced.find(({ nodeId }) => nodeId === step.nodeId);
    if (fault !== undefined) throw new ForcedError(fault);
  }

  /** The values of all items, one after the other. */
  #items(step: Step, run: RowRun): readonly unknown[] | Promise<readonly unknown[]> {
    this.#enter(step, run);
    const list = step.each?.(run);
    if (!Array.isArray(list)) throw new NodeError(`"each" gives ${kindOf(list)}, not a list`);
    const note = run.notes?.nodes[step.place];
    if (note !== undefined) note.items = list.length + 1;
    const values: unknown[] = [];
    for (const item of list as unknown[]) {
      const value = this.#item(step, run, { item, index: values.length });
      if (value instanceof Promise) return this.#laterItems(step, run, { list, values, value });
      values.push(value);
    }
    return this.#finished(values);
  }

  async #laterItems(
    step: Step,
    run: RowRun,
    { list, values, value }: { list: unknown[]; values: unknown[]; value: Promise<unknown> },
  ): Promise<readonly unknown[]> {
    const { holds } = this.#parts;
    values.push(await value);
    while (values.length < list.length) {
      while (holds.any) await holds.over();
      values.push(await this.#item(step, run, { item: list[values.length], index: values.length }));
    }
    return this.#finished(values);
  }

  #finished(values: unknown[]): readonly unknown[] {
    return this.#parts.freezesRows ? Object.freeze(values) : values;
  }

  #item(step: Step, run: RowRun, { item, index }: { item: unknown; index: number }): unknown {
    run.item = item;
    run.index = index;
    run.attempt = 1;
    return this.#attempts(step, run);
  }

  #attempts(step: Step, run: RowRun): unknown {
    if (step.retry === undefined) return this.#attempt(step, run);
    try {
      const first = this.#attempt(step, run);
      return first instanceof Promise ? this.#orRetry(step, run, first) : first;
    } catch (error) {
      return this.#retry(step, run, error);
    }
  }

  async #orRetry(step: Step, run: RowRun, first: Promise<unknown>): Promise<unknown> {
    try {
      return await first;
    } catch (error) {
      return this.#retry(step, run, error);
    }
  }

  /** Further attempts after the first has failed; throws what the last one threw. */
  async #retry(step: Step, run: RowRun, failure: unknown): Promise<unknown> {
    const { holds, wait } = this.#parts;
    let last = failure;
    while (step.retry !== undefined && run.attempt < step.retry.attempts) {
      const asked = last instanceof NodeError ? last.retryAfterMs : 0;
      if (asked === Infinity) break;
      run.retries += 1;
      const pause = Math.max(retryDelayMs(step.retry, run.attempt), asked);
      if (pause > 0) await wait(pause, run);
      while (holds.any) await holds.over();
      run.attempt += 1;
      try {
        return await this.#attempt(step, run);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  #attempt(step: Step, run: RowRun): unknown {
    const { clock, channel, cpuMs } = this.#parts;
    this.#enter(step, run);
    run.attempts += 1;
    const before = run.hasWaited ? clock.monotonic() : this.#now;
    const value = step.run(run);
    const now = clock.monotonic();
    this.#now = now;
    channel.beat(now);
    // What a workflow that is called computes has been counted node by node.
    if (step.limit.computeMs < Infinity) run.caller?.allowance.noteComputing(now - before);
    this.#assertInTime(step, now - before);
    if (now - this.#cpu.at > cpuSampleMs) this.#cpu = { at: now, ms: cpuMs() };
    return value;
  }

  #assertInTime({ limit }: Step, tookMs: number): void {
    if (tookMs <= limit.computeMs) return;
    // On a busy machine most of that may have been waiting for a core.
    const isOver = limit.isTimeout || this.#parts.cpuMs() - this.#cpu.ms > limit.computeMs;
    if (isOver) throw new NodeError(limit.overtime);
  }

  /** Before every piece of author code. Throws for a row that need not go on: that ends it, as nothing else runs. */
  #enter(step: Step, run: RowRun): void {
    if (run.hasWaited) assertWanted(run);
    this.#parts.sandbox.enter(run);
    if (!run.portion.careful) return;
    this.#parts.channel.send(nodeStarted(step, run, this.#parts.timeLimitMs));
  }
}

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
