// The results of a run that was committed in one piece, in one file: as a new file costs about as much as a wait for
// the disk, a run of one row is brought to its end several times as fast so. Readers see the parts as if each were a
// file of its own.
//
//   results 1 <bytes of each part, in the order of `resultParts`> <CRC32 of this line>
//   <the parts>
//
// What the parts hold is vouched for as in files of their own: by the index, and by the statistics themselves.
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { dataUnreadable } from '../../domain/errors.ts';
import { readBytes, release } from '../durable/read-bytes.ts';
import { allDone, writeAll } from '../durable/write-all.ts';
import type { FileSystem, OpenFile } from '../file-system.ts';
import { FilePart, type Place } from './bytes-file.ts';
import type { RunPlace } from './commit-files.ts';
import { noCommit, parseCommit, type Commit } from './output-index.ts';
import { holds, outputNames } from './run-files.ts';
import { readStatistics } from './statistics-file.ts';

/** There is either this file or those of `outputNames`; where a crash or an older Rowbench left both, what has an index counts. */
export const resultsName = 'results';

/** Of the two files of statistics the first: nothing is written after the first commit. */
const resultParts = [
  outputNames.index,
  outputNames.outputs,
  outputNames.states,
  outputNames.trace,
  outputNames.statistics0,
] as const;

export type ResultParts = Readonly<Record<(typeof resultParts)[number], readonly Uint8Array[]>>;

/** Longer than the first line and that of the index can be. */
const headBytes = 256;

/** The file's content. */
export function encodeResults(content: ResultParts): readonly Uint8Array[] {
  const chunks = resultParts.map((name) => content[name]);
  const body = `results 1 ${chunks.map(sizeOf).join(' ')}`;
  return [Buffer.from(`${body} ${hex(crc32(body))}\n`), ...chunks.flat()];
}

/** Where the outputs are, in results of that content at that place. */
export function outputsWithin({ to }: Place, content: ResultParts): Place {
  const behind = resultParts.slice(resultParts.indexOf(outputNames.outputs) + 1);
  const end = behind.reduce((at, name) => at - sizeOf(content[name]), to);
  return { from: end - sizeOf(content[outputNames.outputs]), to: end };
}

/** How long results with that first line are, it and its newline included; undefined: it is none of theirs. */
export function resultsLength(firstLine: string): number | undefined {
  return parseHead(firstLine)?.reduce((bytes, size) => bytes + size, firstLine.length + 1);
}

/** Makes the file; durable when it resolves. One that could not be written counts as none. */
export async function writeResults({ parts, folder }: RunPlace, content: ResultParts): Promise<void> {
  const { fileSystem } = parts;
  const file = await fileSystem.open(join(folder, resultsName), 'update');
  try {
    await writeAll(file, encodeResults(content), 0);
    await allDone([file.dataSync(), fileSystem.syncFolder(folder)]);
  } catch (error) {
    // Nobody is to read what is refused; a disk that cannot do this either cannot be helped.
    await file.truncate(0).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Before a run goes on: its one commit, if an earlier process came that far and everything is there. What a crash left
 * in place of it is emptied; its rows run again. Throws `data_unreadable` for what a newer Rowbench wrote.
 */
export async function recoverResults({ parts, folder, label }: RunPlace): Promise<Commit | undefined> {
  const { fileSystem, log } = parts;
  const path = join(folder, resultsName);
  const stat = await fileSystem.stat(path);
  if (stat === undefined || stat.size === 0) return undefined;
  const file = await fileSystem.open(path, 'update');
  try {
    const commit = (await hasIndex(fileSystem, folder)) ? undefined : await wholeCommit(file, label);
    // A process that was killed may have written it and synced nothing: from here on it counts.
    if (commit !== undefined) await allDone([file.dataSync(), fileSystem.syncFolder(folder)]);
    if (commit !== undefined) return commit;
    // Not removed: where somebody reads it a system may keep its name until that ends.
    await file.truncate(0);
    await file.sync();
  } finally {
    await file.close();
  }
  log.info({}, `${label}/${resultsName}: it was being written; its rows run again`);
  return undefined;
}

/** Whether commits were appended to files of their own. */
export async function hasIndex(fileSystem: FileSystem, folder: string): Promise<boolean> {
  return ((await fileSystem.stat(join(folder, outputNames.index)))?.size ?? 0) > 0;
}

type Found = { readonly places: ReadonlyMap<string, Place>; readonly commit: Commit };

/** What the file holds; undefined while it is being written, or where a crash prevented that. */
async function look(file: OpenFile): Promise<Found | 'damaged' | 'newer' | undefined> {
  const bytes = Buffer.allocUnsafe(headBytes);
  const head = bytes.toString('latin1', 0, await readBytes(file, bytes, 0));
  const end = head.indexOf('\n');
  if (end < 0 && head.length < headBytes) return undefined;
  const sizes = parseHead(head.slice(0, Math.max(0, end)));
  if (sizes === undefined) return isNewer(head.slice(0, Math.max(0, end))) ? 'newer' : 'damaged';
  const places = new Map<string, Place>();
  let at = end + 1;
  for (const [part, name] of resultParts.entries()) {
    const from = at;
    at += sizes[part] ?? 0;
    places.set(name, { from, to: at });
  }
  const size = await file.size();
  if (size < at) return undefined;
  const commit = parseCommit(head.slice(end + 1, head.indexOf('\n', end + 1)), noCommit);
  return size > at || commit === undefined ? 'damaged' : { places, commit };
}

const headPattern = /^(results 1((?: \d{1,15}){5})) ([0-9a-f]{8})$/;

function parseHead(line: string): number[] | undefined {
  const [, body, sizes, crc] = headPattern.exec(line) ?? [];
  if (body === undefined || sizes === undefined || hex(crc32(body)) !== crc) return undefined;
  return sizes.trimStart().split(' ').map(Number);
}

function isNewer(line: string): boolean {
  const [, body, crc] = /^(results \d{1,9} .*) ([0-9a-f]{8})$/.exec(line) ?? [];
  return body !== undefined && hex(crc32(body)) === crc;
}

/** Results in one file, open to be read: its parts are files of their own, and the last one that is closed closes it. */
export class OpenResults {
  readonly #file: OpenFile;
  readonly #places: Found['places'];
  #parts = 0;

  private constructor(file: OpenFile, { places }: Found) {
    this.#file = file;
    this.#places = places;
  }

  /** The file is the caller's to close unless this resolves to them. Undefined while they are written. Throws `data_unreadable`. */
  static async of(file: OpenFile, label: string): Promise<OpenResults | undefined> {
    const found = await lookOrRefuse(file, label);
    if (found === 'damaged') throw dataUnreadable(`${label}: it is damaged`);
    return found && new OpenResults(file, found);
  }

  /** Whether a part is open still, so that another one can be opened. */
  get isOpen(): boolean {
    return this.#parts > 0;
  }

  /** Undefined where there is none of that name; where no other is open the file is closed then. */
  async open(name: string): Promise<OpenFile | undefined> {
    const place = this.#places.get(name);
    if (place === undefined) {
      if (!this.isOpen) await release(this.#file);
      return undefined;
    }
    this.#parts += 1;
    return new FilePart(this.#file, place, () => this.#close());
  }

  async #close(): Promise<void> {
    this.#parts -= 1;
    if (this.#parts === 0) await this.#file.close();
  }
}

async function lookOrRefuse(file: OpenFile, label: string): Promise<Found | 'damaged' | undefined> {
  const found = await look(file);
  if (found === 'newer') throw dataUnreadable(`${label} was written by a newer Rowbench`);
  return found;
}

/** The one commit, if everything that it vouches for is there. Throws `data_unreadable` for what a newer Rowbench wrote. */
export async function wholeCommit(file: OpenFile, label: string): Promise<Commit | undefined> {
  const found = await lookOrRefuse(file, `${label}/${resultsName}`);
  if (found === undefined || found === 'damaged') return undefined;
  const { commit, places } = found;
  const partOf = (name: string): OpenFile => new FilePart(file, places.get(name) ?? { from: 0, to: 0 });
  const parts = {
    outputs: partOf(outputNames.outputs),
    states: partOf(outputNames.states),
    trace: partOf(outputNames.trace),
  };
  const statistics = await readStatistics([partOf(outputNames.statistics0), undefined], commit.rows);
  return statistics !== undefined && (await holds(parts, commit, noCommit)) ? commit : undefined;
}

const sizeOf = (chunks: readonly Uint8Array[]): number =>
  chunks.reduce((bytes, chunk) => bytes + chunk.length, 0);

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
