// The file of one cassette, and its journal while runs are recorded. Who calls: CassetteStore for cassettes in the data
// folder; the command line for cassettes next to a workflow.
// INVARIANT: each recorded call is in the file or in the journal, whenever the process ends; a file that cannot be read is
// never overwritten.
import { basename, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import { emptyCassette, maxCassetteBytes, type Cassette } from '../../domain/cassette/cassette.ts';
import { readCassette } from '../../domain/cassette/read-cassette.ts';
import { cassetteText, Recording, type RecordedCall } from '../../domain/cassette/recording.ts';
import { cassetteInvalid } from '../../domain/workflow-errors.ts';
import { orUnreadable, readWhole } from '../../files/read-bytes.ts';
import { createStoreDeps, type StoreDeps } from '../durable/store-deps.ts';
import { CassetteJournal } from './cassette-journal.ts';

type CassetteOptions = {
  readonly path: string;
  /** Name of the cassette in messages to the user. */
  readonly label: string;
};

/** Fits the executor's `CassetteRecorder`. */
export type FileRecorder = {
  readonly matchHeaders: readonly string[];
  readonly keepHeaders: readonly string[];
  add(call: RecordedCall): Promise<void>;
  close(): Promise<void>;
};

/** State that all runs that are being recorded share. */
type Session = { readonly recording: Recording; readonly journal: CassetteJournal; users: number };

export class CassetteFile {
  readonly label: string;
  readonly path: string;
  readonly #deps: StoreDeps;
  #session: Session | undefined;
  readonly #mutex = new Mutex();
  #isWritten = false;
  #recordedCalls = 0;

  constructor(deps: StoreDeps, { path, label }: CassetteOptions) {
    this.#deps = deps;
    this.path = path;
    this.label = label;
  }

  /** A cassette that a user keeps next to a workflow. */
  static at(path: string, deps: { readonly clock: Clock; readonly log: Log }): CassetteFile {
    return new CassetteFile(createStoreDeps(deps), { path: resolve(path), label: basename(path) });
  }

  /** True if a recording has been written to the file. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** Calls that this process has recorded. */
  get recordedCalls(): number {
    return this.#recordedCalls;
  }

  /** The calls recorded so far; undefined if none ever was. Throws `invalid_input` for a file that is no cassette. */
  read(): Promise<Cassette | undefined> {
    // Under the mutex, because the end of a recording moves its calls from the journal into the file.
    return this.#mutex.run(async () => {
      const base = await this.#readFile();
      const calls = await this.#journal().read();
      if (calls.length === 0) return base;
      return replayed(base ?? emptyCassette, calls).cassette();
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
      return this.#recorder(session);
    });
  }

  #recorder(session: Session): FileRecorder {
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
      close: () => (closed ??= this.#mutex.run(() => this.#leave(session))),
    };
  }

  async #open(runId: string): Promise<Session> {
    const base = (await this.#readFile()) ?? emptyCassette;
    const journal = this.#journal();
    const calls = await journal.open();
    const recording = replayed(base, calls);
    if (calls.length === 0 || calls.some((call) => call.runId === runId))
      return { recording, journal, users: 0 };
    // These calls are of finished runs, so new recordings replace them.
    await this.#finish({ recording, journal });
    return this.#open(runId);
  }

  async #leave(session: Session): Promise<void> {
    session.users -= 1;
    if (session.users > 0) return;
    this.#session = undefined;
    await this.#finish(session);
  }

  async #finish({ recording, journal }: Pick<Session, 'recording' | 'journal'>): Promise<void> {
    const { files, health } = this.#deps;
    const bytes = Buffer.from(cassetteText(recording.cassette()));
    try {
      await health.attempt(() => files.replace(this.path, bytes, { keepPrevious: false }));
    } catch (error) {
      await journal.close();
      throw error;
    }
    this.#isWritten = true;
    await journal.remove();
  }

  async #readFile(): Promise<Cassette | undefined> {
    const { fileSystem } = this.#deps;
    const found = await orUnreadable(this.label, () => fileSystem.stat(this.path));
    if (found === undefined) return undefined;
    if (found.size > maxCassetteBytes)
      throw cassetteInvalid(this.label, `it is larger than ${maxCassetteBytes / 1e6} MB`);
    const bytes = await orUnreadable(this.label, () => readWhole(fileSystem, this.path));
    if (bytes === undefined) return undefined;
    const read = readCassette(bytes.toString('utf8'));
    if ('problem' in read) throw cassetteInvalid(this.label, read.problem);
    return read.cassette;
  }

  #journal(): CassetteJournal {
    const suffix = '.recording';
    return new CassetteJournal(this.#deps, { path: this.path + suffix, label: this.label + suffix });
  }
}

function replayed(base: Cassette, calls: readonly RecordedCall[]): Recording {
  const recording = new Recording(base);
  for (const call of calls) recording.take(call);
  return recording;
}
