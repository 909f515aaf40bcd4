// Answers the calls of tests from a cassette beside the tests file, or refuses them. Only a recording uses the network.
import { basename, dirname, join, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { type Cassette, emptyCassette } from '../../domain/cassette/cassette.ts';
import { cassetteMissing } from '../../domain/workflow-errors.ts';
import type { TestCase } from '../../domain/tests/test-case.ts';
import { cassetteNameFor } from '../../domain/workflow/file-names.ts';
import { RecordingUpstream } from '../../executor/upstream/cassette/recording-upstream.ts';
import { ReplayingUpstream } from '../../executor/upstream/cassette/replaying-upstream.ts';
import { offlineUpstream } from '../../executor/upstream/offline-upstream.ts';
import type { CallOrigin, OnUnanswered, Upstream } from '../../executor/ports.ts';
import { CassetteFile, type FileRecorder } from '../../storage/cassettes/cassette-file.ts';
import type { CallingWorkflow, LiveCalls } from './open-live-calls.ts';
import type { AppError } from '../../base/app-error.ts';
import { callNotRecorded, testReachesOut } from '../../domain/test-errors.ts';
import { recordIt } from '../../domain/upstream/call-needs.ts';
import { storedCassette } from '../../storage/cassettes/cassette-store.ts';

export type CallingTest = {
  readonly workflow: CallingWorkflow;
  /** Workflows that it calls. */
  readonly called: readonly CallingWorkflow[];
  /** The tests file. */
  readonly file: string;
  readonly test: Pick<TestCase, 'name' | 'cassette'>;
};

export type RecordedCassette = {
  readonly path: string;
  /** Number of calls whose answers were recorded. */
  readonly calls: number;
  /** True if the cassette has no answers, from earlier recordings either. */
  readonly isEmpty: boolean;
  /** Number of requests that got different answers. */
  readonly differingRequests: number;
};

export type TestCallsDeps = {
  readonly clock: Clock;
  /** Makes calls over the network; absent: cassettes are played, not recorded. */
  readonly live?: LiveCalls['upstreamOf'] | undefined;
  /** Opens the cassette that runs of a workflow record, for tests that name it. */
  readonly openCassette: (workflowId: string, workflowFile: string) => Promise<CassetteFile>;
};

const offlineHint = `give it a mock, or the test a cassette ("cassette: NAME.cassette.json"), then ${recordIt}`;

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
  async upstreamOf(calling: CallingTest, unanswered: UnansweredCalls): Promise<Upstream> {
    const { file, test, workflow, called } = calling;
    if (test.cassette === undefined) return offlineUpstream(offlineHint, unanswered.note);
    const cassette = await this.#cassette(resolve(dirname(file), test.cassette), workflow);
    const { live, clock } = this.#deps;
    if (live === undefined) return this.#replay(cassette, unanswered.note);
    await this.#keepOpen(cassette);
    // Tests of several files may share a cassette and their names.
    const runId = `${file} ${test.name}`;
    const recording = new RecordingUpstream({
      live: await live(workflow, called),
      recorder: await cassette.record(runId),
      runId,
      clock,
    });
    return notingUnrecorded(recording, { cassette, unanswered });
  }

  /** Writes the recorded answers; gives the cassettes that were to be recorded. */
  async close(): Promise<readonly RecordedCassette[]> {
    const recorded: RecordedCassette[] = [];
    for (const [file, recorder] of this.#open) {
      await (await recorder).close();
      const { entries = [] } = (await file.read()) ?? {};
      const { path, recordedCalls: calls, differingRequests } = file;
      recorded.push({ path, calls, isEmpty: entries.length === 0, differingRequests });
    }
    return recorded;
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
    if (cassette === undefined) throw cassetteMissing(file.label, `To make it, ${recordIt}`);
    return new ReplayingUpstream(cassette, file.label, (message, origin) =>
      onUnanswered(`${message}: ${recordIt}`, origin),
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

/** Maximum calls that are held; only the one of the lowest row is reported. */
const maxCalls = 10_000;

export class UnansweredCalls {
  readonly #calls = new Map<string, { readonly row: number; readonly error: () => AppError }>();

  /** A call that nothing offline answers. */
  readonly note: OnUnanswered = (message, origin) =>
    this.#add(origin, () => testReachesOut(origin.site, origin.row, message));

  /** A call that got no answer while the test was recorded. */
  readonly noteUnrecorded: OnUnanswered = (message, origin) =>
    this.#add(origin, () => callNotRecorded(origin.site, origin.row, message));

  /** A later attempt of the call got an answer. */
  forget(origin: CallOrigin): void {
    this.#calls.delete(keyOf(origin));
  }

  /** Throws `invalid_input` that names the call of the lowest row, so that the order of rows in time does not matter. */
  throwIfAny(): void {
    let first: { readonly row: number; readonly error: () => AppError } | undefined;
    for (const call of this.#calls.values()) if (first === undefined || call.row < first.row) first = call;
    if (first !== undefined) throw first.error();
  }

  #add(origin: CallOrigin, error: () => AppError): void {
    const key = keyOf(origin);
    if (this.#calls.size < maxCalls && !this.#calls.has(key))
      this.#calls.set(key, { row: origin.row, error });
  }
}

const keyOf = ({ row, site }: CallOrigin): string => `${row} ${site}`;

/** Notes the calls that got no answer to record. A failure that the cassette has is no such call: it is played again. */
const notingUnrecorded = (
  recording: Upstream,
  { cassette, unanswered }: { readonly cassette: CassetteFile; readonly unanswered: UnansweredCalls },
): Upstream => ({
  async call(request, context) {
    const answer = await recording.call(request, context);
    if (answer.kind === 'answered') unanswered.forget(context.origin);
    else {
      let isMiss = false;
      const known = new ReplayingUpstream((await cassette.read()) ?? emptyCassette, cassette.label, () => {
        isMiss = true;
      });
      const played = await known.call(request, context);
      if (isMiss || played.kind === 'answered') unanswered.noteUnrecorded(answer.message, context.origin);
    }
    return answer;
  },
  close: async () => recording.close?.(),
});

/** @param dataDir its cassettes are only read: a server may have the folder */
export const offlineCassettes =
  (dataDir: string, clock: Clock): TestCallsDeps['openCassette'] =>
  async (workflowId, workflowFile) =>
    CassetteFile.at(
      join(dirname(workflowFile), cassetteNameFor(basename(workflowFile))),
      { clock, log: silentLog },
      storedCassette(join(dataDir, 'cassettes'), workflowId),
    );
