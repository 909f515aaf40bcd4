// The file of one cassette, and its journal while runs are recorded. Who calls: CassetteStore for a server; the command
// line for files that it names.
// INVARIANT: each recorded call is in the file or in the journal, whenever the process ends; a file that cannot be read is
// never overwritten, and what others write to the file during a recording stays.
import { basename, dirname, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { runInPieces } from '../../base/event-loop-yield.ts';
import { utf8Text } from '../../base/utf8-text.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import { emptyCassette, maxCassetteBytes, type Cassette } from '../../domain/cassette/cassette.ts';
import { readCassetteInSteps, mergeCassettes } from '../../domain/cassette/read-cassette.ts';
import { cassetteText, Recording, type RecordedCall } from '../../domain/cassette/recording.ts';
import { cassetteInvalid, cassetteNotWritten } from '../../domain/workflow-errors.ts';
import { diskReason, orUnreadable, readWhole } from '../../files/read-bytes.ts';
import { findWriteTarget } from '../../files/text-file.ts';
import { createStoreDeps, type StoreDeps } from '../durable/store-deps.ts';
import { CassetteJournal } from './cassette-journal.ts';

export type LabelledPath = {
  readonly path: string;
  /** Name of the file in messages to the user. */
  readonly label: string;
};

export type CassetteLocation = LabelledPath & {
  /** True if the file is outside the data folder: a failed write does not stop the store. */
  readonly isOutside?: true;
  /** Journal of recordings; absent: beside the file. */
  readonly journal?: LabelledPath;
  /** A second cassette, which is only read: its answers are used where the first one has none. */
  readonly second?: LabelledPath;
};

/** Fits the executor's `CassetteRecorder`. */
export type FileRecorder = {
  readonly matchHeaders: readonly string[];
  readonly keepHeaders: readonly string[];
  add(call: RecordedCall): Promise<void>;
  differingRequests(): number;
  close(): Promise<void>;
};

/** State that all runs that are being recorded share. */
type Session = { readonly recording: Recording; readonly journal: CassetteJournal; users: number };

export class CassetteFile {
  readonly #location: CassetteLocation;
  readonly #deps: StoreDeps;
  #session: Session | undefined;
  readonly #mutex = new Mutex();
  #isWritten = false;
  #recordedCalls = 0;
  #differingRequests = 0;

  constructor(deps: StoreDeps, location: CassetteLocation) {
    this.#deps = deps;
    this.#location = location;
  }

  /** A cassette that a user keeps next to a workflow. */
  static at(
    path: string,
    deps: { readonly clock: Clock; readonly log: Log },
    second?: LabelledPath,
  ): CassetteFile {
    const location = { path: resolve(path), label: basename(path) };
    return new CassetteFile(createStoreDeps(deps), second === undefined ? location : { ...location, second });
  }

  get path(): string {
    return this.#location.path;
  }

  get label(): string {
    return this.#location.label;
  }

  /** True if the file is beside a workflow, and not in the data folder. */
  get isSidecar(): boolean {
    return this.#location.isOutside === true;
  }

  /** True while runs are recorded. */
  get isRecording(): boolean {
    return this.#session !== undefined;
  }

  /** True if a recording has ended: the file has its answers, if there were any. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** Calls that this process has recorded. */
  get recordedCalls(): number {
    return this.#recordedCalls;
  }

  /** Requests that got different answers in the recordings that this process has ended. */
  get differingRequests(): number {
    return this.#differingRequests;
  }

  /** The calls recorded so far; undefined if none ever was. Throws `invalid_input` for a file that is no cassette. */
  read(): Promise<Cassette | undefined> {
    // Under the mutex, because the end of a recording moves its calls from the journal into the file.
    return this.#mutex.run(async () => {
      const calls = await this.#journal().read();
      return withCalls(await this.#readFiles(), calls);
    });
  }

  /**
   * Records a run. Its calls replace equal requests that were recorded before the run; calls of the same run that an earlier
   * process recorded stay.
   */
  record(runId: string): Promise<FileRecorder> {
    return this.#mutex.run(async () => {
      const session = (this.#session ??= await this.#open(runId));
      session.users += 1;
      return this.#recorder(session, runId);
    });
  }

  #recorder(session: Session, runId: string): FileRecorder {
    const { recording, journal } = session;
    let closed: Promise<void> | undefined;
    return {
      matchHeaders: recording.matchHeaders,
      keepHeaders: recording.keepHeaders,
      add: async (call) => {
        if (!recording.take(call)) return;
        this.#recordedCalls += 1;
        await journal.append(call);
      },
      differingRequests: () => recording.differingRequests(runId),
      close: () => (closed ??= this.#mutex.run(() => this.#leave(session))),
    };
  }

  async #open(runId: string): Promise<Session> {
    await this.#writtenPath();
    const base = (await this.#readFiles()) ?? emptyCassette;
    const journal = this.#journal();
    const calls = await journal.open();
    const recording = replayed(base, calls);
    if (calls.length === 0 || calls.some((call) => call.runId === runId))
      return { recording, journal, users: 0 };
    // These calls are of finished runs, so new recordings replace them.
    await this.#finish(journal);
    return this.#open(runId);
  }

  async #leave(session: Session): Promise<void> {
    session.users -= 1;
    if (session.users > 0) return;
    this.#session = undefined;
    this.#differingRequests += session.recording.differingRequests();
    try {
      await this.#finish(session.journal);
    } catch (error) {
      if (this.#location.isOutside !== true) throw error;
      // The journal has the answers, and the next recording adds them to the file.
      this.#deps.report(`${diskReason(error)}. The recorded answers are kept in the data folder.`);
    }
  }

  /** Moves the calls of the journal into the file, which others may have changed since the recording began. */
  async #finish(journal: CassetteJournal): Promise<void> {
    try {
      const calls = await journal.read();
      const cassette = withCalls(await this.#readFiles(), calls);
      // A file without answers would look as if something had been recorded.
      if (cassette !== undefined) await this.#write(Buffer.from(cassetteText(cassette)));
    } catch (error) {
      await journal.close();
      throw error;
    }
    this.#isWritten = true;
    await journal.remove();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { files, health } = this.#deps;
    const path = await this.#writtenPath();
    const write = (): Promise<void> => files.replace(path, bytes, { keepPrevious: false });
    if (this.#location.isOutside !== true) return health.attempt(write);
    await write().catch((error: unknown) => {
      throw cassetteNotWritten(this.path, diskReason(error), error);
    });
  }

  /** The file without links. Throws `invalid_input` for a link that leads out of its folder. */
  async #writtenPath(): Promise<string> {
    const target = await findWriteTarget(this.#deps.fileSystem, this.path, [dirname(this.path)]);
    if ('problem' in target) throw cassetteNotWritten(this.path, target.problem);
    return target.path;
  }

  /** Entries of both files. */
  async #readFiles(): Promise<Cassette | undefined> {
    const { second } = this.#location;
    const first = await this.#readFile(this.#location);
    if (second === undefined) return first;
    const calls = await this.#journalOf(second).read();
    return mergeCassettes(first, withCalls(await this.#readFile(second), calls));
  }

  async #readFile({ path, label }: LabelledPath): Promise<Cassette | undefined> {
    const { fileSystem } = this.#deps;
    const found = await orUnreadable(label, () => fileSystem.stat(path));
    if (found === undefined) return undefined;
    if (found.size > maxCassetteBytes)
      throw cassetteInvalid(label, `it is larger than ${maxCassetteBytes / 1e6} MB`);
    const bytes = await orUnreadable(label, () => readWhole(fileSystem, path));
    if (bytes === undefined) return undefined;
    const read = await runInPieces(readCassetteInSteps(utf8Text(bytes, label)));
    if ('problem' in read) throw cassetteInvalid(label, read.problem);
    return read.cassette;
  }

  #journal(): CassetteJournal {
    const { journal } = this.#location;
    return journal === undefined ? this.#journalOf(this.#location) : new CassetteJournal(this.#deps, journal);
  }

  #journalOf({ path, label }: LabelledPath): CassetteJournal {
    const suffix = '.recording';
    return new CassetteJournal(this.#deps, { path: path + suffix, label: label + suffix });
  }
}

const withCalls = (base: Cassette | undefined, calls: readonly RecordedCall[]): Cassette | undefined =>
  calls.length === 0 ? base : replayed(base ?? emptyCassette, calls).cassette();

function replayed(base: Cassette, calls: readonly RecordedCall[]): Recording {
  const recording = new Recording(base);
  for (const call of calls) recording.take(call);
  return recording;
}
