// Runs the tests of a workflow while its files are edited: with the texts of the editor, offline, in the workers of
// previews. Who calls: the control API, after each pause in typing.
// INVARIANT: the newest request of a workflow stops the one before it. Tests that take too long end with their worker.
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { invariant } from '../../base/invariant.ts';
import { LruMap } from '../../base/lru-map.ts';
import { NewestTask } from '../../base/newest-task.ts';
import { countTests } from '../../domain/tests/test-report.ts';
import type {
  DraftTestedFileView,
  DraftTestsView,
  RecordedTest,
  UpdatedTests,
} from '../../domain/tests/test-views.ts';
import type { TestCase } from '../../domain/tests/test-case.ts';
import type { PartOfTest } from '../../domain/tests/update-tests.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import { scenarioText } from '../../domain/scenarios/parse-scenario.ts';
import { testHasNoCassette, testsStopped, testsTooLong } from '../../domain/test-errors.ts';
import type { WorkerPool } from '../../executor/pool/worker-pool.ts';
import type { Upstream } from '../../executor/ports.ts';
import { timeLimitMessage } from '../../executor/run/preview-rows.ts';
import { draftTables, draftTexts, type DraftText } from '../workflows/draft-tables.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';
import { TestBench } from './test-bench.ts';
import { TestCalls, type TestCallsDeps } from './test-calls.ts';
import type { DraftTestFiles, FoundTest } from './draft-test-files.ts';
import type { LoadedTests } from './load-tests.ts';
import { reportOf, runTests, type DoneFile, type DoneTest } from './run-tests.ts';
import { longestTestsMs, maxDifferencesOf, resultView } from './workflow-test-runner.ts';

/** The files are as they are in the editor; the others are read from the disk. */
type DraftTestsRequest = {
  readonly workflowId: string;
  readonly files: readonly DraftText[];
  /** True: the tests have the time that a run of saved tests has. Default: a few seconds, at low priority. */
  readonly isPatient?: boolean | undefined;
  readonly profile?: string | undefined;
  /** Faults that all tests go through, beside their own. */
  readonly faults?: Scenario | undefined;
};

type UpdateRequest = {
  readonly files: readonly DraftText[];
  readonly profile?: string | undefined;
  /** Absent: all tests. */
  readonly test?: { readonly name: string; readonly line: number } | undefined;
  /** A part of the test's rows; absent: all that it expects. */
  readonly part?: PartOfTest | undefined;
};

type DraftTestDeps = {
  readonly files: DraftTestFiles;
  readonly workerScript: string;
  /** Workers of previews. */
  readonly pool: WorkerPool;
  /** Parses texts that change while they are typed. */
  readonly parser: FileParser;
  readonly clock: Clock;
  readonly openCassette: TestCallsDeps['openCassette'];
  /** Makes calls over the network, with the grants of the workflow and of those that it calls. */
  readonly liveUpstream: (workflowId: string, calledIds: readonly string[]) => Upstream;
};

/** Time after which tests of a draft are stopped, in ms: more of them belong behind a button. */
const maxLiveMs = 5_000;
/** Workflows whose newest request is known. */
const maxWorkflows = 20;

const superseded: DraftTestsView = { files: [], passed: 0, failed: 0, ms: 0, superseded: true };

export class DraftTestRunner {
  readonly #deps: DraftTestDeps;
  readonly #closing = new AbortController();
  readonly #tasks = new LruMap<string, NewestTask>({ maxEntries: maxWorkflows });

  constructor(deps: DraftTestDeps) {
    this.#deps = deps;
  }

  /**
   * Throws `workflow_untrusted` for an import that is not trusted, or would reach further than was trusted, and
   * `invalid_input` for a profile that is not there.
   */
  async run(
    find: () => Promise<LoadedWorkflow>,
    { workflowId, files, isPatient = false, profile, faults }: DraftTestsRequest,
  ): Promise<DraftTestsView> {
    // Before the workflow is read: reading may take an earlier request longer than a later one.
    const tasks = this.#tasks.get(workflowId) ?? new NewestTask();
    this.#tasks.set(workflowId, tasks);
    const task = tasks.start();
    try {
      await task.previousEnded;
      this.#closing.signal.throwIfAborted();
      if (task.signal.aborted) return superseded;
      const view = await this.#run(await find(), { files, isPatient, profile, faults, signal: task.signal });
      return task.signal.aborted ? superseded : view;
    } catch (error) {
      if (task.signal.aborted) return superseded;
      throw error;
    } finally {
      task.end();
    }
  }

  /**
   * Runs a test with calls to services, and records their answers in its cassette. Throws `invalid_input` for a test that
   * names no cassette, and when it takes too long.
   */
  async record(
    loaded: LoadedWorkflow,
    { test, loaded: tests }: FoundTest,
    files: readonly DraftText[],
  ): Promise<RecordedTest> {
    if (test.cassette === undefined) throw testHasNoCassette(test.name);
    const { clock, openCassette, liveUpstream } = this.#deps;
    const calls = new TestCalls({
      clock,
      openCassette,
      live: async ({ id }, called) =>
        liveUpstream(
          id,
          called.map((each) => each.id),
        ),
    });
    const running = this.#runToEnd(loaded, [tests], { files, calls, wants: (_, each) => each === test });
    // Answers that came before a failure stay recorded.
    await Promise.allSettled([running]);
    const [recorded] = await calls.close();
    const [done] = (await running).flatMap((file) => file.done);
    invariant(done !== undefined, 'the test was run');
    return {
      result: resultView(done, maxDifferencesOf(1)),
      cassette: test.cassette,
      calls: recorded?.calls ?? 0,
      differingRequests: recorded?.differingRequests ?? 0,
    };
  }

  /**
   * Runs tests, and resolves to the texts in which those that failed expect what came. Throws `invalid_input` when they take
   * too long, or the texts cannot hold it.
   */
  async update(loaded: LoadedWorkflow, request: UpdateRequest): Promise<UpdatedTests> {
    const { files, profile, test, part } = request;
    const { clock, openCassette, parser } = this.#deps;
    const all = await this.#deps.files.load(loaded, files, profile);
    const done = await this.#runToEnd(loaded, all, {
      files,
      calls: new TestCalls({ clock, openCassette }),
      wants: (file, { line }) => test === undefined || (basename(file) === test.name && line === test.line),
      keepsOutputs: true,
    });
    // Its file loads the parsers of YAML and JavaScript, which a server does without at its start.
    const { updatedTexts } = await import('./update-files.ts');
    const changed = await Promise.all(
      done.map((file) => updatedTexts(file, (text, runs) => parser.updateTests(text, runs, part))),
    );
    return { files: changed.flat().map(({ file, text }) => ({ name: basename(file), text })) };
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    this.#closing.abort(testsStopped());
    this.#deps.files.close();
  }

  async #run(
    loaded: LoadedWorkflow,
    options: {
      readonly files: readonly DraftText[];
      readonly isPatient: boolean;
      readonly profile: string | undefined;
      readonly faults: Scenario | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<DraftTestsView> {
    const { clock, openCassette } = this.#deps;
    const { files, isPatient, profile, faults } = options;
    const from = clock.monotonic();
    const all = await this.#deps.files.load(loaded, files, profile);
    const stopping = new AbortController();
    const cancel = clock.setTimer(isPatient ? longestTestsMs : maxLiveMs, () => stopping.abort());
    const signal = AbortSignal.any([this.#closing.signal, options.signal, stopping.signal]);
    const done = new Map<DoneTest['test'], DoneTest>();
    const bench = this.#openBench(loaded, files, isPatient);
    try {
      await runTests(all, {
        bench,
        calls: new TestCalls({ clock, openCassette }),
        clock,
        signal,
        drafts: draftTexts(loaded.file, files),
        wants: () => true,
        faults,
        onDone: (each) => {
          done.set(each.test, each);
          // The next tests would take as long.
          if (!isPatient && isTooSlow(each, this.#deps.pool.timeLimitMs)) stopping.abort();
        },
        ...(isPatient ? {} : { maxAtOnce: 1 }),
      });
    } catch (error) {
      if (!stopping.signal.aborted || this.#closing.signal.aborted) throw error;
    } finally {
      cancel();
      await bench.close();
    }
    const isStopped = stopping.signal.aborted;
    return { ...viewOf(all, done), ms: clock.monotonic() - from, ...(isStopped ? { isStopped } : {}) };
  }

  /** Runs tests in workers of their own, with the time of saved tests. */
  async #runToEnd(
    loaded: LoadedWorkflow,
    tests: readonly LoadedTests[],
    {
      files,
      ...options
    }: { readonly files: readonly DraftText[] } & Pick<
      Parameters<typeof runTests>[1],
      'calls' | 'wants' | 'keepsOutputs'
    >,
  ): Promise<readonly DoneFile[]> {
    this.#closing.signal.throwIfAborted();
    const { clock } = this.#deps;
    const tooLong = new AbortController();
    const cancel = clock.setTimer(longestTestsMs, () => tooLong.abort(testsTooLong(longestTestsMs / 1000)));
    const signal = AbortSignal.any([this.#closing.signal, tooLong.signal]);
    const bench = this.#openBench(loaded, files, true);
    try {
      return await runTests(tests, {
        ...options,
        bench,
        clock,
        signal,
        drafts: draftTexts(loaded.file, files),
      });
    } finally {
      cancel();
      await bench.close();
    }
  }

  #openBench({ id, file }: LoadedWorkflow, files: readonly DraftText[], isPatient: boolean): TestBench {
    const { workerScript, parser, pool } = this.#deps;
    return new TestBench(workerScript, parser, {
      lent: isPatient ? undefined : { pool, planKey: `tests of ${id}` },
      tables: draftTables(file, files),
    });
  }
}

const isTooSlow = ({ outcome }: DoneTest, timeLimitMs: number): boolean =>
  outcome?.status === 'failed' && outcome.error.includes(timeLimitMessage(timeLimitMs));

const testView = ({ name, line, cassette, scenario }: TestCase): DraftTestedFileView['tests'][number] => ({
  name,
  line,
  ...(cassette === undefined ? {} : { cassette }),
  ...(scenario === undefined ? {} : { scenario: scenarioText(scenario) }),
});

function viewOf(
  all: readonly LoadedTests[],
  done: ReadonlyMap<DoneTest['test'], DoneTest>,
): Omit<DraftTestsView, 'ms'> {
  const files = all.map((loaded) => ({
    loaded,
    done: loaded.tests.flatMap((test) => done.get(test) ?? []),
  }));
  const counts = countTests(files.map(reportOf));
  const maxDifferences = maxDifferencesOf(counts.failed);
  return {
    files: files.map((each) => ({
      file: each.loaded.file,
      name: basename(each.loaded.file),
      issues: each.loaded.issues,
      tests: each.loaded.tests.map(testView),
      results: each.done.map((done) => resultView(done, maxDifferences)),
    })),
    ...counts,
  };
}
