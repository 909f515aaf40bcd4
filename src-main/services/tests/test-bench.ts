// Runs tests: the engine of every run, with rows and outputs in memory instead of a data folder, and one pool of row
// workers for all tests, its own or one of the server. Each run has its own clock and the same seed, so that tests are repeatable.
import { randomUUID } from 'node:crypto';
import { silentLog } from '../../base/log.ts';
import { systemClock } from '../../base/system-clock.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { Run } from '../../domain/run/run.ts';
import { type Plan, type RunSeed, rowScenarioOf, fixedSeed } from '../../executor/plan.ts';
import { defaultSettings } from '../../domain/settings.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import type { RowChecks } from '../../domain/tests/check-row.ts';
import type { TestCase } from '../../domain/tests/test-case.ts';
import { rulesTooLarge } from '../../domain/test-errors.ts';
import type { Issue } from '../../domain/workflow/issue.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import { planRun } from '../../executor/plan-run.ts';
import type { OutputSink, Upstream } from '../../executor/ports.ts';
import { RunExecution } from '../../executor/run/run-execution.ts';
import type { TableFiles } from '../../files/table-files.ts';
import { WorkerPool } from '../../executor/pool/worker-pool.ts';
import { upstreamOfRows } from '../runs/upstreams.ts';
import { parserInProcess, type FileParser } from '../workflows/file-parser.ts';
import {
  type FilesBehind,
  type SourceOwner,
  type SourceService,
  openSources,
} from '../workflows/source-service.ts';
import { assertFileTrusted } from '../workflows/named-file.ts';
import { LineReader } from './in-memory-rows.ts';
import { type TestCalls, UnansweredCalls } from './test-calls.ts';

export type BenchTest = {
  readonly workflow: SourceOwner & { readonly workflow: Workflow; readonly profile?: Profile };
  readonly test: Pick<TestCase, 'name' | 'mocks' | 'clock' | 'cassette' | 'scenario' | 'expect'>;
  /** The tests file. */
  readonly file: string;
  /** Answers the calls of all tests that run together. */
  readonly calls: TestCalls;
  /** How the file of the rows was read, if they are of a file. */
  readonly readAs?: Run['readAs'];
  /** A line of JSON for each row. */
  readonly rows: { readonly lines: Iterable<Uint8Array>; readonly count: number };
  /** Checks of a workflow whose rows are outputs of another one; see `tests/check-outputs.ts`. */
  readonly rowChecks?: RowChecks;
  /** Seed of its random numbers; absent: the same for all tests. */
  readonly seed?: RunSeed;
};

/** How the run of a test ended. Its outputs went to the sink. */
export type BenchOutcome = EndedRun & {
  /** Remarks about the files of tables. */
  readonly notes: readonly Issue[];
};

type EndedRun = {
  /** In the order of the traces. */
  readonly nodeIds: readonly string[];
} & ({ readonly status: 'completed' } | { readonly status: 'failed'; readonly error: string });

/** Workers that outlive the bench: those with the key serve one plan after another. */
export type LentWorkers = { readonly pool: WorkerPool; readonly planKey: string };

type TestBenchOptions = {
  readonly lent?: LentWorkers | undefined;
  /** Tables of a draft; absent: those of the disk. */
  readonly tables?: TableFiles | undefined;
};

export class TestBench {
  readonly #pool: WorkerPool;
  readonly #lent: LentWorkers | undefined;
  readonly #tables: TableFiles | undefined;
  readonly #parser: FileParser;
  readonly #sources: SourceService;
  /** Path of the bundled row worker. */
  readonly workerScript: string;

  constructor(
    workerScript: string,
    parser: FileParser = parserInProcess,
    { lent, tables }: TestBenchOptions = {},
  ) {
    this.#tables = tables;
    this.workerScript = workerScript;
    this.#parser = parser;
    this.#sources = openSources(parser);
    const { rowTimeLimitMs: timeLimitMs, workerMemoryMb: memoryMb } = defaultSettings;
    this.#lent = lent;
    this.#pool =
      lent?.pool ??
      new WorkerPool({ workerScript, clock: systemClock, log: silentLog, timeLimitMs, memoryMb });
  }

  /**
   * Throws `invalid_input` for mocks that are not there and for a call that nothing offline answers, `workflow_invalid`
   * for a table that cannot be read, `workflow_untrusted` for an import that it calls; aborting ends the run and throws the signal's reason.
   */
  async run(benchTest: BenchTest, sink: OutputSink, signal: AbortSignal): Promise<BenchOutcome> {
    signal.throwIfAborted();
    const { calls, test, file, workflow, seed = fixedSeed } = benchTest;
    const { dependencies, called, notes } = await this.#sources.resolve(workflow, {
      mocks: test.mocks,
      profile: workflow.profile,
      tables: this.#tables,
    });
    for (const other of called) await assertFileTrusted(other.file, other.source, this.#parser);
    const planned = planRun(workflow.workflow, { mocks: test.mocks }, dependencies);
    const plan = benchTest.rowChecks === undefined ? planned : { ...planned, rowChecks: benchTest.rowChecks };
    const unanswered = new UnansweredCalls();
    const answers = await calls.upstreamOf({ workflow, called, file, test }, unanswered);
    // Services that know the key of a call would answer it as they did the last time.
    const runId = calls.reachesOut(test) ? randomUUID() : test.name;
    const upstream = upstreamOfRows(answers, { ...inputsOf(test), runId, seed }, { clock: systemClock });
    try {
      const outcome = await this.#execute(benchTest, { runId, plan, upstream, sink, signal });
      unanswered.throwIfAny();
      return { ...outcome, notes };
    } finally {
      await upstream.close?.();
    }
  }

  async #execute(
    { test, rows, readAs, seed = fixedSeed }: BenchTest,
    { runId, plan, upstream, sink, signal }: ExecuteDeps,
  ): Promise<EndedRun> {
    const execution = new RunExecution({
      runId,
      plan,
      seed,
      reader: new LineReader(rows.lines),
      sink,
      pool: this.#pool,
      planKey: this.#lent?.planKey,
      upstream,
      clock: test.clock === 'virtual' ? new VirtualClock(seed.time) : systemClock,
      log: silentLog,
      firstRow: 1,
      rowsLeft: rows.count,
      scenario: rowScenarioOf({ ...inputsOf(test), readAs }),
      ...(plan.tokenBudget === undefined
        ? {}
        : { budget: { tokens: plan.tokenBudget, allowed: plan.tokenBudget, used: 0, failsRun: true } }),
      detail: test.expect.trace === undefined ? 'failures' : 'full',
    });
    const cancel = (): void => void execution.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const outcome = await execution.run();
      signal.throwIfAborted();
      const nodeIds = plan.nodes.map(({ id }) => id);
      if (outcome.kind === 'failed') return { status: 'failed', error: outcome.error, nodeIds };
      return { status: 'completed', nodeIds };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** The workflow with this id, as the workflow of the test would call it. */
  findWorkflow(workflowId: string, { file }: BenchTest['workflow']): Promise<BenchTest['workflow']> {
    return this.#sources.workflow(workflowId, file);
  }

  /** A workflow that the program itself wrote. Throws `invalid_input` if it is too large. */
  async parse(text: string, { file }: BenchTest['workflow']): Promise<BenchTest['workflow']> {
    const { workflow, issues } = await this.#parser.workflow(text);
    if (workflow === undefined) throw rulesTooLarge(issues[0]?.message ?? '');
    return { id: workflow.id, file, source: text, workflow };
  }

  /** The files that tests of the workflow depend on beside its own. */
  filesBehind(workflow: SourceOwner): Promise<FilesBehind> {
    return this.#sources.filesBehind(workflow);
  }

  /** Ends all row workers of its own. */
  async close(): Promise<void> {
    if (this.#lent === undefined) await this.#pool.close();
  }
}

type ExecuteDeps = {
  readonly runId: string;
  readonly plan: Plan;
  readonly upstream: Upstream;
  readonly sink: OutputSink;
  readonly signal: AbortSignal;
};

const inputsOf = ({ scenario, clock }: BenchTest['test']): Pick<Run, 'scenario' | 'clock'> => ({
  ...(scenario === undefined ? {} : { scenario }),
  ...(clock === 'virtual' ? { clock } : {}),
});
