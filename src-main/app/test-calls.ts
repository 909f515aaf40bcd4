// Answers the calls of tests from a cassette beside the tests file, or refuses them. Only a recording uses the network.
import { basename, dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { Cassette } from '../domain/cassette/cassette.ts';
import { cassetteMissing, testReachesOut } from '../domain/workflow-errors.ts';
import type { TestCase } from '../domain/tests/test-case.ts';
import { cassetteNameFor } from '../domain/workflow/file-names.ts';
import { RecordingUpstream } from '../executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../executor/upstream/cassette/replaying-upstream.ts';
import { offlineUpstream } from '../executor/upstream/offline-upstream.ts';
import type { CallOrigin, OnUnanswered, Upstream } from '../executor/ports.ts';
import { CassetteFile, type FileRecorder } from '../storage/cassettes/cassette-file.ts';
import type { LiveCalls, CallingWorkflow } from './open-live-calls.ts';

export type CallingTest = {
  readonly workflow: CallingWorkflow;
  /** Workflows that it calls. */
  readonly called: readonly CallingWorkflow[];
  /** The tests file. */
  readonly file: string;
  readonly test: Pick<TestCase, 'name' | 'cassette'>;
};

export type TestCallsDeps = {
  readonly clock: Clock;
  /** Makes calls over the network; absent: cassettes are played, not recorded. */
  readonly live?: LiveCalls['upstreamOf'] | undefined;
  /** Opens the cassette that runs of a workflow record, for tests that name it. */
  readonly openCassette: (workflowId: string, workflowFile: string) => Promise<CassetteFile>;
};

const offlineHint =
  'give it a mock, or the test a cassette ("cassette: NAME.cassette.json"), which "rowbench test --record" makes';

export class TestCalls {
  readonly #deps: TestCallsDeps;
  /** Tests that name the same cassette share one. */
  readonly #files = new Map<string, Promise<CassetteFile>>();
  readonly #open = new Map<CassetteFile, Promise<FileRecorder>>();
  readonly #read = new Map<CassetteFile, Promise<Cassette | undefined>>();

  constructor(deps: TestCallsDeps) {
    this.#deps = deps;
  }

  /** True if the calls of a test reach the network. */
  reachesOut({ cassette }: CallingTest['test']): boolean {
    return this.#deps.live !== undefined && cassette !== undefined;
  }

  /** Throws `invalid_input` for a cassette that is not there or cannot be read. */
  async upstreamOf(calling: CallingTest, onUnanswered: OnUnanswered): Promise<Upstream> {
    const { file, test, workflow, called } = calling;
    if (test.cassette === undefined) return offlineUpstream(offlineHint, onUnanswered);
    const cassette = await this.#cassette(resolve(dirname(file), test.cassette), workflow);
    const { live, clock } = this.#deps;
    if (live === undefined) return this.#replay(cassette, onUnanswered);
    await this.#keepOpen(cassette);
    // Tests of several files may share a cassette and their names.
    const runId = `${file} ${test.name}`;
    return new RecordingUpstream({
      live: await live(workflow, called),
      recorder: await cassette.record(runId),
      runId,
      clock,
    });
  }

  /** Writes what was recorded; says where to. */
  async close(): Promise<readonly string[]> {
    for (const recorder of this.#open.values()) await (await recorder).close();
    return [...this.#open.keys()].map(({ path }) => path);
  }

  /** Until all tests are done, so that which of them came first makes no difference. */
  async #keepOpen(file: CassetteFile): Promise<void> {
    const recorder = this.#open.get(file) ?? file.record('');
    this.#open.set(file, recorder);
    await recorder;
  }

  async #replay(file: CassetteFile, onUnanswered: OnUnanswered): Promise<Upstream> {
    const reading = this.#read.get(file) ?? file.read();
    this.#read.set(file, reading);
    const cassette = await reading;
    if (cassette === undefined) throw cassetteMissing(file.label, '"rowbench test --record" makes it');
    return new ReplayingUpstream(cassette, file.label, (message, origin) =>
      onUnanswered(`${message}. "rowbench test --record" records it`, origin),
    );
  }

  #cassette(path: string, workflow: CallingWorkflow): Promise<CassetteFile> {
    const file = this.#files.get(path) ?? this.#openCassette(path, workflow);
    this.#files.set(path, file);
    return file;
  }

  async #openCassette(path: string, { id, file }: CallingWorkflow): Promise<CassetteFile> {
    const { clock, openCassette } = this.#deps;
    const own = resolve(dirname(file), cassetteNameFor(basename(file)));
    return path === own ? openCassette(id, file) : CassetteFile.at(path, { clock, log: silentLog });
  }
}

/** Calls of one test that nothing answered: they fail it, whatever its workflow made of them. */
export class UnansweredCalls {
  #first: { readonly message: string; readonly origin: CallOrigin } | undefined;

  /** Keeps the first such call of the lowest row, so that the order of rows in time does not matter. */
  readonly note: OnUnanswered = (message, origin) => {
    if (this.#first === undefined || origin.row < this.#first.origin.row) this.#first = { message, origin };
  };

  /** Throws `invalid_input`. */
  throwIfAny(): void {
    if (this.#first === undefined) return;
    const { message, origin } = this.#first;
    throw testReachesOut(origin.site, origin.row, message);
  }
}
