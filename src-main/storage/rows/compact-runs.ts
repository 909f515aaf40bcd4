// The compact runs of a data folder: makes them, finds them, and moves into folders of their own those that come to be
// committed in pieces. Those that were used last are kept in memory, so that a small run is rarely read.
import { join } from 'node:path';
import { dataUnreadable } from '../../domain/errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { diskReason, orUnreadable, readWhole } from '../durable/read-bytes.ts';
import { sealedJson } from '../durable/sealed-json.ts';
import { FolderSyncs } from '../durable/folder-syncs.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { RecentIds } from '../recent-ids.ts';
import { BytesFile } from './bytes-file.ts';
import {
  encodeCompact,
  parseCompact,
  runInSpare,
  type CompactContent,
  type CompactFlaw,
  type CompactRows,
  withoutResults,
} from './compact-format.ts';
import { CompactRun } from './compact-run.ts';
import { wholeCommit } from './results-file.ts';
import { givenName, isRunId, numbersName, recordName, rowsName } from './run-files.ts';
import { isSpareName, readSpare, SpareFiles } from './spare-files.ts';

const suffix = '.run';
/** Of memory, for runs that may be asked for again. */
const mostBytesKnown = 16_000_000;
/** Damage is told once of each of so many. */
const mostTold = 1000;
/** So many look-ups in one turn of the event loop: then whatever else waits has its turn. */
const mostInARow = 32;
/** Another process may write the file while it is read: read anew, it fits. */
const mostReadings = 3;

/** The run that a name in the folder of runs stands for; undefined: none, or one that has a folder. */
export const compactRunIdIn = (name: string): string | undefined => {
  const runId = name.slice(0, -suffix.length);
  return name.endsWith(suffix) && isRunId(runId) ? runId : undefined;
};

/** Copies of damaged files whose runs were removed, and half of one that was being made. */
function isLitter(name: string, runIds: ReadonlySet<string>): boolean {
  const [, runId, rest = ''] = /^([-0-9a-f]{36})\.run(\.corrupt-.*)$/.exec(name) ?? [];
  return runId !== undefined && (rest.endsWith('.tmp') || !runIds.has(runId));
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function contentOf(bytes: Uint8Array, runId: string): CompactContent | CompactFlaw {
  const content = parseCompact(bytes);
  const isOther = 'record' in content && content.record.runId !== runId;
  return isOther ? { flaw: 'it is the record of another run' } : content;
}

/** Results that nobody knows to be synced count if all of them is there. */
async function withWholeResults(
  bytes: Uint8Array,
  content: CompactContent,
  label: string,
): Promise<CompactContent> {
  const { results, told } = content;
  if (results === undefined || results.to <= told) return content;
  const part = new BytesFile(bytes.subarray(results.from, results.to));
  return (await wholeCommit(part, label)) === undefined ? withoutResults(bytes, content) : content;
}

export class CompactRuns {
  readonly #parts: StoreParts;
  readonly #folders: { readonly incoming: string; readonly runs: string };
  /** Runs in memory, those that were used last at the end. */
  readonly #known = new Map<string, { readonly run: CompactRun; readonly size: number }>();
  #knownBytes = 0;
  /** Under way, so that there is one object for a run. */
  readonly #loading = new Map<string, Promise<CompactRun | undefined>>();
  /** Of all of them, once the folder was looked at; a folder that belongs to somebody else is looked at each time. */
  #ids: Set<string> | undefined;
  #inARow = 0;
  #isEvicting = false;
  readonly #told = new RecentIds(mostTold);
  /** Of runs that have a folder: their files could not be removed. */
  readonly #leftovers = new Set<string>();
  readonly #syncs: FolderSyncs;
  readonly #spares: SpareFiles;

  constructor(parts: StoreParts, folders: { readonly incoming: string; readonly runs: string }) {
    this.#parts = parts;
    this.#folders = folders;
    this.#syncs = new FolderSyncs(parts.fileSystem);
    this.#spares = new SpareFiles(parts, folders.runs, () => this.#syncs.sync(folders.runs));
  }

  /**
   * Looks at the folder of runs; from here on others are looked for in vain. Removes what moves and removals left, and gives runs
   * in spare files their names. Resolves to the ids of the runs in one file.
   */
  async takeStock(): Promise<Iterable<string>> {
    const { fileSystem } = this.#parts;
    const names = await fileSystem.list(this.#folders.runs);
    const folders = new Set(names.filter(isRunId));
    const found = new Set(names.flatMap((name) => compactRunIdIn(name) ?? []));
    // Before litter and folders: a run that has its name again keeps its copies, and goes if it has a folder.
    for (const name of names.filter(isSpareName)) {
      const runId = await this.#renameOrRemove(name, found);
      if (runId !== undefined) found.add(runId);
    }
    const litter = names.filter((name) => isLitter(name, found));
    for (const name of litter) await fileSystem.remove(join(this.#folders.runs, name));
    for (const runId of folders) {
      if (!found.delete(runId)) continue;
      await fileSystem.remove(this.#pathOf(runId));
    }
    // What was renamed and removed here.
    await fileSystem.syncFolder(this.#folders.runs);
    this.#ids = found;
    return found;
  }

  /** Whether the run is kept in one file, be it damaged. */
  async has(runId: string): Promise<boolean> {
    return this.#ids?.has(runId) ?? (await this.#isThere(runId));
  }

  /** Undefined: it has a folder, or there is no such run. Throws `data_unreadable`. */
  async find(runId: string): Promise<CompactRun | undefined> {
    await this.#giveWay();
    const known = this.#known.get(runId);
    if (known !== undefined) {
      this.#keep(runId, known.run);
      return known.run;
    }
    const { label } = this.#placeOf(runId);
    if (!(await orUnreadable(label, () => this.has(runId)))) return undefined;
    if (this.#parts.isReadOnly === true) return this.#load(runId);
    const loading = this.#loading.get(runId) ?? this.#load(runId);
    this.#loading.set(runId, loading);
    try {
      const run = await loading;
      if (run !== undefined && this.#loading.has(runId)) this.#keep(runId, run);
      return run;
    } finally {
      this.#loading.delete(runId);
    }
  }

  /** Makes the run exist. Resolves to the record that is stored. Throws `store_degraded`. */
  async accept(run: Run, rows: CompactRows): Promise<Run> {
    const file = await this.#parts.health.attempt(() =>
      this.#spares.put(this.#pathOf(run.runId), (spareName) => encodeCompact(run, rows, spareName)),
    );
    this.#ids?.add(run.runId);
    this.#keep(run.runId, new CompactRun(this.#placeOf(run.runId), file));
    return run;
  }

  /** Moves a run into a folder of its own, durably. */
  async unfold(run: CompactRun): Promise<void> {
    await run.giveUp((record) => this.#unfold(run, record));
  }

  /** Removes it, if it is there; for good after a `sync`. */
  async remove(runId: string): Promise<void> {
    // What is under way on it comes first: the file may be another run's soon.
    await this.#loading.get(runId)?.catch(() => undefined);
    const take = (): Promise<void> => this.#spares.take(this.#pathOf(runId));
    const known = this.#known.get(runId)?.run;
    await (known === undefined ? take() : known.giveUp(take));
    this.#forget(runId);
  }

  /** Before the folder of a run is removed: without it, its file would count again. */
  async removeLeftover(runId: string): Promise<void> {
    if (!this.#leftovers.has(runId)) return;
    await this.#parts.fileSystem.remove(this.#pathOf(runId));
    this.#leftovers.delete(runId);
    await this.#syncs.sync(this.#folders.runs);
  }

  /** Makes what was removed stay removed after a power cut. */
  sync(): Promise<void> {
    return this.#spares.settle();
  }

  async #unfold(run: CompactRun, record: Run): Promise<void> {
    const { fileSystem, files, log } = this.#parts;
    const { incoming, runs } = this.#folders;
    const { runId } = record;
    const from = join(incoming, runId);
    // What an attempt that failed left.
    await fileSystem.remove(from);
    await fileSystem.makeFolder(from);
    for (const name of [rowsName, numbersName, givenName]) {
      const bytes = run.bytesOf(name);
      if (bytes !== undefined) await files.create(join(from, name), bytes);
    }
    await files.create(join(from, recordName), sealedJson(record));
    await fileSystem.syncFolder(from);
    await files.rename(from, join(runs, runId));
    await this.#syncs.sync(runs);
    this.#forget(runId);
    this.#leftovers.add(runId);
    await this.removeLeftover(runId).catch((error: unknown) => {
      if (!this.#leftovers.has(runId)) throw error;
      // The folder is what counts.
      log.warn({ runId, error }, 'the file of a run that has a folder is left');
    });
  }

  /**
   * Gives a spare file the name of the run that is in it, or removes it; leaves and tells what it cannot read.
   * @param found ids of the runs that have their names
   * @returns the id of the one that has it again
   */
  async #renameOrRemove(spareName: string, found: ReadonlySet<string>): Promise<string | undefined> {
    const { fileSystem, files, report } = this.#parts;
    const path = join(this.#folders.runs, spareName);
    const leave = (why: string): void =>
      report(`runs/${spareName} may be a run, and cannot be read: ${why}. It is left as it is.`);
    let run: string | CompactFlaw | undefined;
    try {
      const bytes = await readSpare(fileSystem, path);
      run = bytes && runInSpare(spareName, bytes);
    } catch (error) {
      return void leave(diskReason(error));
    }
    if (typeof run === 'object') return void leave(run.flaw);
    if (run === undefined || !isRunId(run) || found.has(run)) return void (await fileSystem.remove(path));
    await files.rename(path, this.#pathOf(run));
    return run;
  }

  async #isThere(runId: string): Promise<boolean> {
    const { fileSystem } = this.#parts;
    if ((await fileSystem.stat(join(this.#folders.runs, runId))) !== undefined) return false;
    return (await fileSystem.stat(this.#pathOf(runId))) !== undefined;
  }

  async #giveWay(): Promise<void> {
    if (this.#inARow === 0) setImmediate(() => (this.#inARow = 0));
    this.#inARow += 1;
    if (this.#inARow > mostInARow) await nextTurn();
  }

  async #load(runId: string): Promise<CompactRun | undefined> {
    const place = this.#placeOf(runId);
    const isReadOnly = this.#parts.isReadOnly === true;
    for (let reading = 1; ; reading += 1) {
      const bytes = await orUnreadable(place.label, () => readWhole(this.#parts.fileSystem, place.path));
      // Removed while it was read, when its file may have been another run's already.
      if (bytes === undefined || this.#ids?.has(runId) === false) return undefined;
      const content = contentOf(bytes, runId);
      const isWhole = 'record' in content && !content.isDamaged;
      if (!isWhole && isReadOnly && reading < mostReadings) continue;
      if ('flaw' in content) throw dataUnreadable(`${place.label}: ${content.flaw}`);
      if (content.isDamaged) this.#tellDamage(runId, place.label);
      const run = new CompactRun(place, {
        bytes,
        content: await withWholeResults(bytes, content, place.label),
      });
      await this.#confirm(run);
      return run;
    }
  }

  /** What cannot be confirmed is read all the same, as long as the disk gives it. */
  async #confirm(run: CompactRun): Promise<void> {
    const { health, isReadOnly } = this.#parts;
    if (isReadOnly !== true && !run.isConfirmed && !health.degraded)
      await health.attempt(() => run.confirm()).catch(() => undefined);
  }

  #tellDamage(runId: string, label: string): void {
    if (this.#told.has(runId)) return;
    this.#told.add(runId);
    this.#parts.report(`${label}: part of it is damaged. What is whole of it is used.`);
  }

  #pathOf(runId: string): string {
    return join(this.#folders.runs, runId + suffix);
  }

  #placeOf(runId: string) {
    return { parts: this.#parts, path: this.#pathOf(runId), label: `runs/${runId}${suffix}` };
  }

  #keep(runId: string, run: CompactRun): void {
    this.#drop(runId);
    this.#known.set(runId, { run, size: run.size });
    this.#knownBytes += run.size;
    if (this.#knownBytes > mostBytesKnown) this.#evictSoon();
  }

  /** Not at once: whoever has just found a run says in this turn of the event loop that it is in use. */
  #evictSoon(): void {
    if (this.#isEvicting) return;
    this.#isEvicting = true;
    setImmediate(() => {
      this.#isEvicting = false;
      for (const [oldest, { run }] of this.#known) {
        if (this.#knownBytes <= mostBytesKnown) break;
        if (!run.isInUse) this.#drop(oldest);
      }
    });
  }

  #drop(runId: string): void {
    const known = this.#known.get(runId);
    if (known === undefined) return;
    this.#known.delete(runId);
    this.#knownBytes -= known.size;
  }

  #forget(runId: string): void {
    this.#drop(runId);
    this.#loading.delete(runId);
    this.#ids?.delete(runId);
  }
}
