// Runs rows through real row workers, with rows and results in memory.
import type { BatchResult } from '../../src-main/domain/run/stored-run.ts';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { addStatistics, type NodeStatistics } from '../../src-main/domain/results/node-statistics.ts';
import type { RowFailure } from '../../src-main/domain/run/row-failure.ts';
import { parseTraceLine, type RowTrace } from '../../src-main/domain/results/row-trace.ts';
import { readRowState, rowStateBytes, type RowState } from '../../src-main/domain/run/row-state.ts';
import type { MockChoice } from '../../src-main/domain/workflow/choose-mocks.ts';
import { describeIssue } from '../../src-main/domain/workflow/issue.ts';
import { parseWorkflow } from '../../src-main/domain/workflow/parse-workflow.ts';
import type { Plan } from '../../src-main/executor/plan.ts';
import { offlineUpstream } from '../../src-main/executor/upstream/offline-upstream.ts';
import { planRun } from '../../src-main/executor/plan-run.ts';
import type { OutputSink, RowBatch, RowReader } from '../../src-main/executor/ports.ts';
import { RunExecution } from '../../src-main/executor/run/run-execution.ts';
import type {
  RunExecutionOptions,
  ExecutionOutcome,
} from '../../src-main/executor/run/run-execution-options.ts';
import { WorkerPool, type WorkerPoolOptions } from '../../src-main/executor/pool/worker-pool.ts';
import { sharedPool } from './processes-for-tests.ts';

const workerScript = join(import.meta.dirname, '../../dist/row-worker.cjs');

/**
 * With options, even none of them set: a pool that is gone, with all its workers, when the test is over. Without: the pool
 * of the process, whose workers serve the plans of one test after another.
 */
export function testPool(options?: Partial<WorkerPoolOptions>): WorkerPool {
  if (options === undefined) return sharedPool();
  const pool = new WorkerPool({
    workerScript,
    clock: systemClock,
    log: silentLog,
    timeLimitMs: 5000,
    memoryMb: 256,
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}

export class MemoryReader implements RowReader {
  readonly #lines: readonly Buffer[];
  #next: number;

  /** From row `firstRow` on. */
  constructor(rows: readonly unknown[], firstRow = 1) {
    this.#lines = rows.map((row) => Buffer.from(`${typeof row === 'string' ? row : JSON.stringify(row)}\n`));
    this.#next = firstRow - 1;
  }

  async next(maxRows: number, maxBytes: number): Promise<RowBatch | undefined> {
    const start = this.#next;
    let bytes = 0;
    while (this.#next < this.#lines.length && this.#next - start < maxRows) {
      const size = this.#lines[this.#next]?.length ?? 0;
      if (this.#next > start && bytes + size > maxBytes) break;
      bytes += size;
      this.#next += 1;
    }
    if (this.#next === start) return undefined;
    return {
      firstRow: start + 1,
      rows: this.#next - start,
      bytes: Buffer.concat(this.#lines.slice(start, this.#next)),
    };
  }

  async close(): Promise<void> {}
}

export class MemorySink implements OutputSink {
  readonly lines: string[] = [];
  readonly states: RowState[] = [];
  readonly failures: RowFailure[] = [];
  readonly traces: RowTrace[] = [];
  nodes: readonly NodeStatistics[] = [];
  commits = 0;

  async commit({ rows, outputs, states, failures, trace, nodes }: BatchResult): Promise<void> {
    this.commits += 1;
    const lines = Buffer.from(outputs).toString('utf8').split('\n');
    if (lines.length !== rows + 1 || lines[rows] !== '') throw new Error('one line a row is wanted');
    this.lines.push(...lines.slice(0, rows));
    const view = new DataView(states.buffer, states.byteOffset, states.byteLength);
    for (let row = 0; row < rows; row += 1) this.states.push(readRowState(view, row * rowStateBytes));
    this.failures.push(...failures);
    this.nodes = addStatistics([this.nodes, nodes]);
    for (const line of Buffer.from(trace).toString('utf8').split('\n').slice(0, -1)) {
      const traced = parseTraceLine(line);
      if (traced !== undefined) this.traces.push(traced);
    }
  }

  /** Outputs in row order; null for a row without one. */
  get outputs(): unknown[] {
    return this.lines.map((line) => (line === '' ? null : (JSON.parse(line) as unknown)));
  }
}

/** The plan of a workflow given as text, or as the nodes between an `input` and whatever follows. */
export function planOf(workflow: string, mocks: MockChoice = {}): Plan {
  const text = workflow.startsWith('rowbench:') ? workflow : `rowbench: 1\nid: test\n${workflow}`;
  const parsed = parseWorkflow(text);
  if (parsed.workflow === undefined)
    throw new Error(parsed.issues.map((issue) => describeIssue('test', issue)).join('\n'));
  return planRun(parsed.workflow, { mocks });
}

export type TestRun = Partial<RunExecutionOptions> & {
  readonly pool: WorkerPool;
  readonly rows: readonly unknown[];
};

export function testExecution(plan: Plan, run: TestRun): { execution: RunExecution; sink: MemorySink } {
  const sink = new MemorySink();
  const firstRow = run.firstRow ?? 1;
  const execution = new RunExecution({
    runId: 'test-run',
    plan,
    seed: { random: 1, time: Date.UTC(2026, 0, 2, 3, 4, 5) },
    reader: new MemoryReader(run.rows, firstRow),
    sink,
    upstream: offlineUpstream('the test has no upstream'),
    clock: systemClock,
    log: silentLog,
    firstRow,
    rowsLeft: run.rows.length - firstRow + 1,
    ...run,
  });
  onTestFinished(() => execution.stop());
  return { execution, sink };
}

/** Runs to the end. */
export async function runRows(
  workflow: string,
  run: TestRun,
): Promise<MemorySink & { outcome: ExecutionOutcome }> {
  const { execution, sink } = testExecution(planOf(workflow), run);
  const outcome = await execution.run();
  return Object.assign(sink, { outcome });
}
