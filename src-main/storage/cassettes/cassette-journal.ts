// Recorded calls that are not in a cassette's file yet: one line per call in a second file, appended and synced. So the cost
// of recording does not grow with the cassette, and a crash loses no answer that a row has received.
import { newline } from '../../domain/rows/line-bytes.ts';
import { dirname } from 'node:path';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { deepestCassette } from '../../domain/cassette/cassette.ts';
import { recordedCall, type RecordedCall } from '../../domain/cassette/recording.ts';
import { isNestedDeeper } from '../../domain/rows/json-depth.ts';
import { corruptSuffix } from '../durable/json-file.ts';
import { orUnreadable, readWhole, release } from '../../files/read-bytes.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { writeAll } from '../durable/durable-files.ts';
import type { OpenFile } from '../../files/file-system.ts';
import { findWriteTarget } from '../../files/text-file.ts';
import { cassetteNotWritten } from '../../domain/workflow-errors.ts';

type Waiting = { readonly line: Buffer; readonly done: Deferred<void> };

export class CassetteJournal {
  readonly #deps: StoreDeps;
  readonly #path: string;
  readonly #label: string;
  #file: OpenFile | undefined;
  #end = 0;
  readonly #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** @param label the path in messages to the user */
  constructor(deps: StoreDeps, { path, label }: { readonly path: string; readonly label: string }) {
    this.#deps = deps;
    this.#path = path;
    this.#label = label;
  }

  /** Reads the calls that an earlier process left, up to the first incomplete line. */
  async read(): Promise<readonly RecordedCall[]> {
    return (await this.#readWhole()).calls;
  }

  /** Opens the journal to append calls; resolves to the calls that it has. */
  async open(): Promise<readonly RecordedCall[]> {
    // Opening it follows links.
    const target = await findWriteTarget(this.#deps.fileSystem, this.#path, [dirname(this.#path)]);
    if ('problem' in target) throw cassetteNotWritten(this.#path, target.problem);
    const { calls, bytes, isDamaged } = await this.#readWhole();
    if (isDamaged) await this.#setAside();
    try {
      await this.#deps.health.attempt(() => this.#begin(bytes));
    } catch (error) {
      await this.close();
      throw error;
    }
    return calls;
  }

  async #begin(bytes: Buffer): Promise<void> {
    this.#file = await this.#deps.fileSystem.open(this.#path, 'update');
    // Existing calls are not rewritten: a crash would lose them.
    const there = await this.#file.size();
    if (there > bytes.length) await this.#file.truncate(bytes.length);
    if (there < bytes.length) await writeAll(this.#file, bytes, 0);
    this.#end = bytes.length;
    await this.#file.sync();
    await this.#deps.fileSystem.syncFolder(dirname(this.#path));
  }

  /** Appends a call durably. Throws `store_degraded`. */
  append(call: RecordedCall): Promise<void> {
    const done = deferred();
    this.#waiting.push({ line: Buffer.from(`${JSON.stringify(call)}\n`), done });
    this.#writing ??= this.#writeWaiting().finally(() => (this.#writing = undefined));
    return done.promise;
  }

  /** Closes and removes the journal, whose calls are in the cassette's file by then. */
  async remove(): Promise<void> {
    await this.close();
    await this.#deps.health.attempt(() => this.#deps.fileSystem.remove(this.#path));
  }

  async close(): Promise<void> {
    await this.#writing;
    if (this.#file !== undefined) await release(this.#file);
    this.#file = undefined;
  }

  /** Writes all waiting calls with one sync. */
  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      try {
        await this.#deps.health.attempt(() => this.#write(Buffer.concat(group.map(({ line }) => line))));
        group.forEach(({ done }) => done.resolve());
      } catch (error) {
        group.forEach(({ done }) => done.reject(error));
      }
    }
  }

  async #write(lines: Buffer): Promise<void> {
    const file = this.#file;
    if (file === undefined) throw new Error('the journal is closed');
    await writeAll(file, lines, this.#end);
    this.#end += lines.length;
    await file.sync();
  }

  async #readWhole(): Promise<Found> {
    const bytes = await orUnreadable(this.#label, () => readWhole(this.#deps.fileSystem, this.#path));
    if (bytes === undefined) return { calls: [], bytes: Buffer.alloc(0), isDamaged: false };
    const calls: RecordedCall[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const call = parseCall(bytes.toString('utf8', start, end));
      if (call === undefined) return { calls, bytes: bytes.subarray(0, start), isDamaged: true };
      calls.push(call);
      start = end + 1;
    }
    return { calls, bytes: bytes.subarray(0, start), isDamaged: false };
  }

  /** Keeps a damaged journal under another name: a crash does not cause complete lines that cannot be parsed. */
  async #setAside(): Promise<void> {
    const { clock, files, health, report } = this.#deps;
    const suffix = corruptSuffix(clock);
    await health.attempt(() => files.rename(this.#path, this.#path + suffix));
    report(
      `${this.#label}: a line is damaged. It was kept as ${this.#label}${suffix}, and the lines before it are used.`,
    );
  }
}

type Found = { readonly calls: readonly RecordedCall[]; readonly bytes: Buffer; readonly isDamaged: boolean };

function parseCall(line: string): RecordedCall | undefined {
  if (isNestedDeeper(line, deepestCassette)) return undefined;
  try {
    return recordedCall.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
