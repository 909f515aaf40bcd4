// One run that is kept in one file, in memory and on the disk. Who calls: CompactRuns and OutputFile; of a run there is one
// at a time that may write. INVARIANT: what is in memory is what the file holds up to where its pieces end.
import { crc32 } from 'node:zlib';
import { dataUnreadable } from '../../domain/errors.ts';
import { rowsIn, type Run } from '../../domain/run/run.ts';
import { corruptSuffix } from '../durable/json-file.ts';
import { readBytes, release } from '../durable/read-bytes.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { writeAll } from '../durable/write-all.ts';
import type { OpenFile } from '../file-system.ts';
import { BytesFile, type Place } from './bytes-file.ts';
import { encodeRecordPiece, encodeTold, toldAt, type CompactContent } from './compact-format.ts';
import type { Commit } from './output-index.ts';
import { encodeResults, OpenResults, outputsWithin, wholeCommit, type ResultParts } from './results-file.ts';
import { givenName, isOutputName, numbersName, rowsName } from './run-files.ts';

export type CompactPlace = {
  readonly parts: StoreParts;
  readonly path: string;
  /** What a person may read of the path, relative to the data folder. */
  readonly label: string;
};

export type CompactFile = {
  /** Up to `content.end` at least. */
  readonly bytes: Buffer;
  readonly content: CompactContent;
};

/** What the pieces come to. */
type Pieces = {
  /** The file, up to where they end. */
  readonly bytes: Buffer;
  /** CRC32 of them. */
  readonly chain: number;
  readonly record: Run;
  readonly results: Place | undefined;
  /** Of this process, or looked at by it: the results are known to be whole. */
  readonly commit: Commit | undefined;
  /** Of this process alone: where the outputs are. */
  readonly outputs: Place | undefined;
};

export class CompactRun {
  readonly #place: CompactPlace;
  readonly #content: CompactContent;
  #pieces: Pieces;
  /** There may be something else than zeros behind the end. */
  #hasRest: boolean;
  /** What is damaged is kept aside before anything is written in its place. */
  #isDamaged: boolean;
  #turn: Promise<unknown> = Promise.resolve();
  /** Writes that are under way or wait for their turn. */
  #turns = 0;
  #users = 0;
  #isGivenUp = false;
  /** From the first write to the next record: a disk tells of what it lost to those who have the file open. */
  #file: OpenFile | undefined;

  constructor(place: CompactPlace, { bytes, content }: CompactFile) {
    this.#place = place;
    this.#content = content;
    const { record, results, chain, end } = content;
    this.#pieces = {
      bytes: bytes.subarray(0, end),
      chain,
      record,
      results,
      commit: undefined,
      outputs: undefined,
    };
    this.#hasRest = content.hasRest;
    this.#isDamaged = content.isDamaged;
  }

  /** Its record, after the saves that were asked for before. */
  read(): Promise<Run> {
    return this.#inTurn(async () => this.#pieces.record);
  }

  /** Of memory, in bytes. */
  get size(): number {
    return this.#pieces.bytes.length;
  }

  /** It may be written through this object, and so through no other. */
  get isInUse(): boolean {
    return this.#users > 0 || this.#turns > 0;
  }

  /** Until `close`, it may be written at any time. */
  use(): void {
    this.#users += 1;
  }

  /** The end of a use. */
  close(): Promise<void> {
    this.#users -= 1;
    return this.#inTurn(() => this.#release());
  }

  /** What is of that name in a run's folder; undefined: it has none. Throws `data_unreadable`. */
  async open(name: string): Promise<OpenFile | undefined> {
    const { results } = this.#pieces;
    if (!isOutputName(name)) {
      const bytes = this.bytesOf(name);
      return bytes && new BytesFile(bytes);
    }
    if (results !== undefined)
      return (await OpenResults.of(this.#part(results), this.#place.label))?.open(name);
    const { record } = this.#pieces;
    if (record.finishedAt !== null && rowsIn(record.counts) > 0)
      throw dataUnreadable(`${this.#place.label}: its results are damaged`);
    return undefined;
  }

  /** Of its rows, and what is beside them, by the names that they have in a folder. */
  bytesOf(name: string): Uint8Array | undefined {
    const { rows, numbers, given } = this.#content.places;
    const place = { [rowsName]: rows, [numbersName]: numbers, [givenName]: given }[name];
    return place && this.#pieces.bytes.subarray(place.from, place.to);
  }

  /** Of all its rows, if this process committed them; undefined: to be read as others are. */
  get outputs(): { readonly rows: number; readonly bytes: Uint8Array } | undefined {
    const { commit, outputs, bytes } = this.#pieces;
    return commit && outputs && { rows: commit.rows, bytes: bytes.subarray(outputs.from, outputs.to) };
  }

  /** Its record is replaced, and all that came before is durable too, when it resolves; false: it was given up. */
  save(run: Run): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#isGivenUp) return false;
      await this.#write(async (file) => {
        await this.#prepare(file);
        await this.#add(file, encodeRecordPiece(run, this.#pieces.chain));
        this.#pieces = { ...this.#pieces, record: run };
        await this.#keep(file);
      });
      await this.#release();
      return true;
    });
  }

  /**
   * Appends the results of all rows. A process that is killed leaves them; a power cut they survive once the record is
   * saved that says what they came to.
   */
  commit(content: ResultParts, commit: Commit): Promise<void> {
    return this.#inTurn(() =>
      this.#write(async (file) => {
        await this.#prepare(file);
        const from = this.#pieces.bytes.length;
        await this.#add(file, encodeResults(content));
        const results = { from, to: this.#pieces.bytes.length };
        this.#pieces = { ...this.#pieces, results, commit, outputs: outputsWithin(results, content) };
      }),
    );
  }

  /** Whether a process that was killed may have written some of it and synced nothing. */
  get isConfirmed(): boolean {
    return this.#pieces.bytes.length <= this.#content.told;
  }

  /** Before anybody goes by what is there. */
  confirm(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#write((file) => this.#keep(file));
      await this.#release();
    });
  }

  /** Before a run goes on: the commit of all its rows, if an earlier process came that far and everything is there. */
  async recover(): Promise<Commit | undefined> {
    const { results, commit } = this.#pieces;
    if (commit !== undefined || results === undefined) return commit;
    const { label, parts } = this.#place;
    const found = await wholeCommit(this.#part(results), label);
    if (found === undefined)
      parts.log.info({}, `${label}: its results were being written; its rows run again`);
    this.#pieces = { ...this.#pieces, results: found && results, commit: found };
    return found;
  }

  /** Hands over to another way of keeping the run, after which it is never written again. */
  giveUp(move: (record: Run) => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#release();
      await move(this.#pieces.record);
      this.#isGivenUp = true;
    });
  }

  #part({ from, to }: Place): OpenFile {
    return new BytesFile(this.#pieces.bytes.subarray(from, to));
  }

  /** What could not be written counts as if it had never been. */
  async #write(use: (file: OpenFile) => Promise<void>): Promise<void> {
    const before = this.#pieces;
    try {
      this.#file ??= await this.#open();
      await use(this.#file);
    } catch (error) {
      this.#pieces = before;
      this.#hasRest = true;
      // Nobody is to read what is refused; a disk that cannot do this either cannot be helped.
      await this.#file?.truncate(before.bytes.length).catch(() => undefined);
      await this.#release();
      throw error;
    }
  }

  async #open(): Promise<OpenFile> {
    const { parts, path, label } = this.#place;
    const stat = await parts.fileSystem.stat(path);
    // Somebody else took it away; what would be written now could not be read.
    if (stat === undefined || stat.size < this.#pieces.bytes.length)
      throw dataUnreadable(`${label} is missing or too short`);
    return parts.fileSystem.open(path, 'write');
  }

  async #release(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    // What counts is synced.
    if (file !== undefined) await release(file);
  }

  /** Nothing is behind the pieces then, and nothing damaged among them. */
  async #prepare(file: OpenFile): Promise<void> {
    if (this.#isDamaged) await this.#repair(file);
    if (this.#hasRest) await file.truncate(this.#pieces.bytes.length);
    this.#hasRest = false;
  }

  async #add(file: OpenFile, chunks: readonly Uint8Array[]): Promise<void> {
    const { bytes, chain } = this.#pieces;
    await writeAll(file, chunks, bytes.length);
    this.#pieces = {
      ...this.#pieces,
      bytes: Buffer.concat([bytes, ...chunks]),
      chain: chunks.reduce((crc, chunk) => crc32(chunk, crc), chain),
    };
  }

  /** Keeps a copy of what is damaged, and writes anew what is whole: the results, and the record that is gone by. */
  async #repair(file: OpenFile): Promise<void> {
    const { parts, path } = this.#place;
    const damaged = Buffer.alloc(await file.size());
    await readBytes(file, damaged, 0);
    await parts.files.replace(path + corruptSuffix(parts.clock), damaged, { keepPrevious: false });
    const { bytes, results, record } = this.#pieces;
    const { piecesFrom: from, seed } = this.#content;
    const whole = results && Buffer.from(bytes.subarray(results.from, results.to));
    // From here on nobody misses what is taken away.
    await writeAll(file, [encodeTold(0)], toldAt(bytes));
    await file.dataSync();
    await file.truncate(from);
    this.#pieces = { ...this.#pieces, bytes: bytes.subarray(0, from), chain: seed };
    if (whole !== undefined) await this.#add(file, [whole]);
    this.#pieces = {
      ...this.#pieces,
      results: whole && { from, to: from + whole.length },
      outputs: undefined,
    };
    await this.#add(file, encodeRecordPiece(record, this.#pieces.chain));
    await this.#keep(file);
    this.#hasRest = false;
    this.#isDamaged = false;
  }

  /** Makes all that was appended last. */
  async #keep(file: OpenFile): Promise<void> {
    await file.dataSync();
    const { bytes } = this.#pieces;
    const told = encodeTold(bytes.length - this.#content.piecesFrom);
    const at = toldAt(bytes);
    // Need not last: it tells damage from what a power cut left, and without it less is known.
    await writeAll(file, [told], at);
    bytes.set(told, at);
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    this.#turns += 1;
    const result = this.#turn.then(act).finally(() => (this.#turns -= 1));
    // The chain goes on whatever one turn came to; its caller hears of the failure through `result`.
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
