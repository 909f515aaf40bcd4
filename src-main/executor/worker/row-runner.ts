// Runs one row through the plan's steps. A row whose nodes are all synchronous runs without a promise; the first
// node that waits makes the rest of its row asynchronous, and other rows go on meanwhile.
import type { RowScenario } from '../plan.ts';
import { AttemptRunner, type AttemptDeps } from './attempt-runner.ts';
import { ForcedError } from './forced-error.ts';
import { describeThrown, NodeError } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';
import type { RowEnd } from './portion-results.ts';
import { ended, type Ended } from './row-notes.ts';
import { membersOf, valueOf, RowOutput, type Members } from './row-output.ts';
import { beginRow, type RowRun, type RowSource } from './row-run.ts';
import { RowTracer } from './row-tracer.ts';
import type { Step } from './step.ts';

export type RowRunnerParts = AttemptDeps & {
  readonly steps: readonly Step[];
  readonly scenario: RowScenario;
};

/** Why a node failed in a row, and why its `onError` gave no value instead. */
type Fault = { readonly error: unknown; readonly onError?: string };

export class RowRunner {
  readonly #parts: RowRunnerParts;
  readonly #output: RowOutput;
  readonly #tracer: RowTracer;
  readonly #blank: readonly undefined[];
  readonly #attempts: AttemptRunner;

  constructor(parts: RowRunnerParts) {
    this.#parts = parts;
    this.#attempts = new AttemptRunner(parts);
    this.#output = new RowOutput(parts.steps);
    this.#tracer = new RowTracer(parts.steps);
    this.#blank = parts.steps.map(() => undefined);
  }

  /** The monotonic time when something of a row that has not waited was last at work: as good as now right after it. */
  get now(): number {
    return this.#attempts.now;
  }

  /** Runs the row; `text` is its JSON. Never throws for the row's fault. */
  execute(row: number, text: string, source: RowSource): RowEnd | Promise<RowEnd> {
    const { steps, scenario, wait, clock } = this.#parts;
    this.#attempts.now = clock.monotonic();
    // What a called workflow does is part of the node that called it.
    const notes = source.caller === undefined ? this.#tracer.begin(source.portion) : undefined;
    const run = beginRow(source, { row, blank: this.#blank, notes, now: this.#attempts.now });
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
      run.input = freezeParsed(JSON.parse(text));
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
    this.#note(run, ended.failed, this.#attempts.now);
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
    const now = run.hasWaited ? this.#parts.clock.monotonic() : this.#attempts.now;
    this.#parts.channel.beat(now);
    const durationMicros = (now - run.startedAt) * 1000;
    const { notes } = run;
    // Another row has the notes from here on.
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
    run.nodeStartedAt = run.hasWaited ? this.#parts.clock.monotonic() : this.#attempts.now;
    if (this.#failsOnPurpose(step, run) || this.#isGiven(step, run)) return undefined;
    if (step.leavesJobs) return this.#nodeWithJobs(step, run);
    try {
      this.#refuseForced(step, run);
      if (step.when !== undefined && !this.#attempts.runInPlace(step, run, step.when)) {
        this.#note(run, ended.skipped, run.nodeStartedAt);
        return undefined;
      }
      const value =
        step.each === undefined
          ? this.#attempts.runAttempts(step, run)
          : this.#itemsOf(step, run, this.#attempts.runInPlace(step, run, step.each));
      if (value instanceof Promise) return this.#take(step, run, value);
      this.#record(step, run, value);
      this.#note(run, ended.done, this.#attempts.now);
    } catch (error) {
      this.#fail(step, run, error);
    }
    return undefined;
  }

  /** The same for a node whose code may leave promise jobs behind. */
  async #nodeWithJobs(step: Step, run: RowRun): Promise<void> {
    run.hasWaited = true;
    try {
      this.#refuseForced(step, run);
      if (step.when !== undefined) {
        const { value } = await this.#attempts.runCode(step, run, step.when);
        if (!value) return this.#note(run, ended.skipped, this.#parts.clock.monotonic());
      }
      const value = await (step.each === undefined
        ? this.#attempts.runAttempts(step, run)
        : this.#itemsOf(step, run, (await this.#attempts.runCode(step, run, step.each)).value));
      this.#record(step, run, value);
      this.#note(run, ended.done, this.#parts.clock.monotonic());
    } catch (error) {
      await this.#failLater(step, run, error);
    }
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
      await this.#failLater(step, run, error);
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
    this.#attempts.now = this.#parts.clock.monotonic();
    return this.#attempts.now;
  }

  #recordMembers(step: Step, run: RowRun, members: Members): void {
    run.members[step.place] = members;
    if (step.isRead) run.values[step.place] = valueOf(members);
  }

  #fail(step: Step, run: RowRun, error: unknown): void {
    if (step.onError === undefined) return this.#failRow(step, run, { error });
    try {
      this.#replace(step, run, this.#attempts.runInPlace(step, run, step.onError));
    } catch (second) {
      this.#failRow(step, run, { error, onError: describeThrown(second) });
    }
  }

  /** After a wait, or promise jobs: another row's code may be at work. */
  async #failLater(step: Step, run: RowRun, error: unknown): Promise<void> {
    if (step.onError === undefined) return this.#failRow(step, run, { error });
    try {
      const { value } = await this.#attempts.runCode(step, run, step.onError);
      this.#replace(step, run, value);
    } catch (second) {
      this.#failRow(step, run, { error, onError: describeThrown(second) });
    }
  }

  #replace(step: Step, run: RowRun, value: unknown): void {
    if (step.fields === undefined) run.values[step.place] = value;
    else this.#recordMembers(step, run, membersOf(step.fields, value));
    this.#note(run, ended.replaced, this.#lookAtClock());
  }

  /** @param fault with what `onError` made of it, if it threw too */
  #failRow(step: Step, run: RowRun, { error, onError }: Fault): void {
    const attempts = error instanceof ForcedError ? error.attempts : run.attempt;
    const more = onError === undefined ? '' : `; then onError: ${onError}`;
    this.#note(run, ended.failed, this.#lookAtClock());
    run.failure = {
      row: run.row,
      nodeId: step.nodeId,
      message: `${describeThrown(error)}${more}`,
      attempts,
    };
    run.retryAfterMs = error instanceof NodeError ? error.retryAfterMs : 0;
  }

  #refuseForced(step: Step, run: RowRun): void {
    if (run.portion.forced.length === 0) return;
    const fault = run.portion.forced.find(({ nodeId }) => nodeId === step.nodeId);
    if (fault !== undefined) throw new ForcedError(fault);
  }

  /** The values of all items, one after the other. */
  #itemsOf(step: Step, run: RowRun, list: unknown): readonly unknown[] | Promise<readonly unknown[]> {
    if (!Array.isArray(list)) throw new NodeError(`"each" gives ${kindOf(list)}, not a list`);
    const note = run.notes?.nodes[step.place];
    if (note !== undefined) note.items = list.length + 1;
    const values: unknown[] = [];
    for (const item of list as unknown[]) {
      const value = this.#item(step, run, { item, index: values.length });
      if (value instanceof Promise) return this.#laterItems(step, run, { list, values, value });
      values.push(value);
    }
    return Object.freeze(values);
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
    return Object.freeze(values);
  }

  #item(step: Step, run: RowRun, { item, index }: { item: unknown; index: number }): unknown {
    run.item = item;
    run.index = index;
    run.attempt = 1;
    return this.#attempts.runAttempts(step, run);
  }
}

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
