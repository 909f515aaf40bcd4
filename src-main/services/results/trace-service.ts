// Stored traces and node statistics of runs. Also runs a row again to get its full trace. Who calls: the
// control API and the command line. This service changes no stored data.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import type { JsonValue } from '../../base/json-value.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { NodeStatistics } from '../../domain/results/node-statistics.ts';
import type { Throughput } from '../../domain/results/run-statistics.ts';
import type { RunMode } from '../../domain/run/run-mode.ts';
import { failureOfLine } from '../../domain/results/scan-trace-line.ts';
import { parseTraceLine, traceOfFailure, type RowTrace } from '../../domain/results/row-trace.ts';
import type { Run } from '../../domain/run/run.ts';
import { traceStopped, tracesBusy } from '../../domain/run-errors.ts';
import type { RunFixtureView } from '../../domain/tests/test-views.ts';
import type { OutputSink, RowBatch, RowReader, Upstream } from '../../executor/ports.ts';
import type { Plan } from '../../executor/plan.ts';
import type { ExecutionOutcome } from '../../executor/run/run-execution-options.ts';
import { withOwnWorkflows } from '../../executor/upstream/share-equal-calls.ts';
import { RunExecution } from '../../executor/run/run-execution.ts';
import type { WorkerPool } from '../../executor/pool/worker-pool.ts';
import type { RunExecutionStore, RunReading } from '../ports.ts';
import { readFixtureRows } from './fixture-rows.ts';
import type { PlanCache } from '../runs/plan-cache.ts';
import { rowScenarioOf } from '../../executor/plan.ts';
import { positionInRun } from '../runs/row-position.ts';
import type { RunService } from '../runs/run-service.ts';
import type { TrustService } from '../workflows/trust-service.ts';
import type { WorkflowService } from '../workflows/workflow-service.ts';

export type TraceServiceDeps = {
  readonly runs: RunService;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly store: RunReading & Pick<RunExecutionStore, 'openReader'>;
  readonly plans: PlanCache;
  readonly pool: WorkerPool;
  readonly upstreamOf: (run: Run) => Promise<Upstream>;
  readonly clock: Clock;
  readonly log: Log;
};

/** The trace of one row, with the plan whose node indexes it uses. */
export type PlannedTrace = { readonly run: Run; readonly plan: Plan; readonly trace: RowTrace };

/** A row that ran once more. */
export type TracedAgain = PlannedTrace & {
  /** Absent: the row failed, or its output is larger than 4 MB; the output nodes' values have the beginning. */
  readonly output?: JsonValue;
};

type RunNodes = {
  readonly plan: Plan;
  /** Rows that are counted. */
  readonly rows: number;
  readonly nodes: readonly NodeStatistics[];
  /** Absent: the run began before paces were kept, or no row has ended. */
  readonly throughput?: Throughput;
};

/** Mode of a row that runs again: its answers belong in no cassette, and one that was filled in has them all. */
const modeAgain: Readonly<Record<RunMode, RunMode>> = {
  live: 'live',
  record: 'live',
  fill: 'replay',
  replay: 'replay',
  mocks: 'mocks',
};

/** Rows that are run again at once: each keeps a worker from runs. */
const maxConcurrentReruns = 4;
/** Maximum time for running a row again, in ms; the caller waits for the answer. */
const longestAgainMs = 50_000;

export class TraceService {
  readonly #deps: TraceServiceDeps;
  /** Rows that are being run again. */
  readonly #again = new Set<RunExecution>();
  #isClosed = false;

  constructor(deps: TraceServiceDeps) {
    this.#deps = deps;
  }

  /** The row's stored trace, of some failed rows no more than why; undefined where none is kept. Throws `run_not_found`, `invalid_input`, `data_unreadable`. */
  async stored(runId: string, row: number): Promise<PlannedTrace | undefined> {
    const { run, plan } = await this.#planOf(runId);
    await this.#positionOf(run, row);
    for await (const { line } of this.#deps.store.readTraces(runId, row, row)) {
      const trace = parseTraceLine(line) ?? traceOfFailureLine(line, plan);
      if (trace !== undefined) return { run, plan, trace };
    }
    return undefined;
  }

  /**
   * Runs the row once more under its run's plan, seed, mocks and mode, and keeps everything of its way. Calls are made
   * again where the run's were, with the same `Idempotency-Key`. Throws `workflow_untrusted`, as a new run would be
   * refused, and `move_not_allowed` when too many rows are run again, or the row takes longer than 50 s.
   */
  async again(runId: string, row: number): Promise<TracedAgain> {
    const { run, plan } = await this.#planOf(runId);
    const position = await this.#positionOf(run, row);
    await this.#assertTrusted(run);
    const { store, pool, clock, log } = this.#deps;
    const upstream = await this.#deps.upstreamOf({ ...run, mode: modeAgain[run.mode ?? 'live'] });
    const reader = new FirstRow(store.openReader(run, position - 1));
    const sink = new CapturedResult();
    try {
      if (this.#isClosed) throw traceStopped(row);
      if (this.#again.size >= maxConcurrentReruns) throw tracesBusy(maxConcurrentReruns);
      const execution = new RunExecution({
        runId,
        plan,
        seed: run.seed,
        reader,
        sink,
        pool,
        // An answer in memory or in the store would leave out their calls.
        upstream: withOwnWorkflows(upstream, { runId, clock }),
        clock: run.clock === 'virtual' ? new VirtualClock(run.seed.time) : clock,
        log,
        firstRow: position,
        rowsLeft: 1,
        scenario: rowScenarioOf(run),
        detail: 'full',
      });
      const { kind } = await this.#toItsEnd(execution);
      if (kind === 'cancelled' || kind === 'stopped') throw traceStopped(row);
    } finally {
      await reader.close();
      await upstream.close?.();
    }
    return { run, plan, ...sink.traced(row, plan) };
  }

  /** Rows of the run with what came of them; see `readFixtureRows`. */
  async fixtureRows(
    run: Run,
    request: Parameters<typeof readFixtureRows>[2],
  ): Promise<{ readonly plan: Plan; readonly rows: RunFixtureView['rows'] }> {
    const rows = await readFixtureRows(this.#deps.store, run, request);
    return { plan: await this.#deps.plans.get(run), rows };
  }

  /** Undefined where an older version ran the run. */
  async nodes(runId: string): Promise<RunNodes> {
    const { plan } = await this.#planOf(runId);
    const statistics = await this.#deps.store.readStatistics(runId);
    const { rows = 0, nodes = [], pace: throughput } = statistics ?? {};
    return { plan, rows, nodes, ...(throughput === undefined ? {} : { throughput }) };
  }

  /** Rows that are being run again. */
  get runningAgain(): number {
    return this.#again.size;
  }

  /** Stops rows that are being run again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#again].map((execution) => execution.stop()));
  }

  async #toItsEnd(execution: RunExecution): Promise<ExecutionOutcome> {
    this.#again.add(execution);
    const cancelTimer = this.#deps.clock.setTimer(longestAgainMs, () => void execution.cancel());
    try {
      return await execution.run();
    } finally {
      cancelTimer();
      this.#again.delete(execution);
    }
  }

  /** Refuses to run a row of a workflow that may not be started: a trace runs the workflow, too. */
  async #assertTrusted({ workflowId, sources = [] }: Run): Promise<void> {
    const { workflows, trust } = this.#deps;
    for (const id of new Set([workflowId, ...sources.map((source) => source.workflowId)])) {
      const loaded = await workflows.find(id);
      if (loaded !== undefined) trust.assertTrusted(loaded);
    }
  }

  async #planOf(runId: string): Promise<{ run: Run; plan: Plan }> {
    const { run } = await this.#deps.runs.get(runId);
    return { run, plan: await this.#deps.plans.get(run) };
  }

  #positionOf(run: Run, row: number): Promise<number> {
    return positionInRun(this.#deps.store, run, row);
  }
}

/** Maximum bytes of an output that is parsed here; parsing 64 MB would hold up all other work. */
const maxOutputBytes = 4_000_000;

/** The result of one row. */
class CapturedResult implements OutputSink {
  #result: BatchResult | undefined;

  async commit(result: BatchResult): Promise<void> {
    this.#result = result;
  }

  traced(row: number, plan: Plan): { trace: RowTrace; output?: JsonValue } {
    const text = (bytes: Uint8Array | undefined): string =>
      Buffer.from(bytes ?? [])
        .toString('utf8')
        .trimEnd();
    const isTooLarge = (this.#result?.outputs.length ?? 0) > maxOutputBytes;
    const output = isTooLarge ? '' : text(this.#result?.outputs);
    const trace = this.#result && parseTraceLine(text(this.#result.trace));
    return {
      trace: trace ?? lostTrace(row, plan, this.#result),
      ...(output === '' ? {} : { output: JSON.parse(output) as JsonValue }),
    };
  }
}

const idsOf = (plan: Plan): readonly string[] => plan.nodes.map(({ id }) => id);

function traceOfFailureLine(line: string, plan: Plan): RowTrace | undefined {
  const failure = failureOfLine(line);
  return failure && traceOfFailure(failure, idsOf(plan));
}

/** The trace of a row that crashed its workers: only the failure is known. */
const lostTrace = (row: number, plan: Plan, result: BatchResult | undefined): RowTrace => {
  const [failure = { row, nodeId: '', message: '', attempts: 1 }] = result?.failures ?? [];
  return traceOfFailure(failure, idsOf(plan));
};

/** Hands out a reader's first row alone. */
class FirstRow implements RowReader {
  readonly #reader: RowReader;
  #isRead = false;

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  async next(_maxRows: number, maxBytes: number): Promise<RowBatch | undefined> {
    if (this.#isRead) return undefined;
    this.#isRead = true;
    return this.#reader.next(1, maxBytes);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
