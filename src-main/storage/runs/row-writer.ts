// Writes arriving rows in batches at once, so that memory stays bounded. The rows have no owner until a run or a row set is
// accepted with them; a start after a crash removes them. Who calls: RunStore, RowSetStore.
import { countLines, joinBytes, newline } from '../../domain/rows/line-bytes.ts';
import { encodeRowNumbers } from '../../domain/run/row-numbers.ts';
import type { ArrivingRows } from '../../domain/run/stored-run.ts';
import type { StoreDatabase } from './store-database.ts';
import { maxBlobBytes, pieceBytes } from '../sqlite/batch-writer.ts';
import type { Acceptance } from '../sqlite/store-writer.ts';
import type { NewRowBatch } from '../sqlite/stored-batches.ts';

/** Maximum size of a batch, which ends with the row that reaches one of these limits. */
const maxBatchRows = 1000;
const maxBatchBytes = 1024 * 1024;

export class RowWriter {
  readonly #owner: number;
  readonly #database: StoreDatabase;
  /** Bytes of the next batch; the last line may be incomplete. */
  #chunks: Uint8Array[] = [];
  #chunkBytes = 0;
  /** Bytes of the incomplete line among them. */
  #tailBytes = 0;
  #rows = 0;
  /** Numbers of all rows so far; empty if the numbers are positions. */
  readonly #numbers: number[] = [];
  #reused: Uint8Array[] = [];
  #firstRow = 1;
  /** Stored pieces of the large row that is arriving; 0 if there is none. */
  #pieces = 0;
  #isStaged = false;
  #isCommitted = false;
  /** Settles when the current batch is stored. */
  #sending: Promise<unknown> = Promise.resolve();
  #totalBytes = 0;

  private constructor(database: StoreDatabase, owner: number) {
    this.#database = database;
    this.#owner = owner;
  }

  /** Opens a writer for the rows of a new owner. */
  static async open(database: StoreDatabase): Promise<RowWriter> {
    return new RowWriter(database, await database.nextOwner());
  }

  /** Number of rows so far. */
  get rows(): number {
    return this.#firstRow - 1 + this.#rows;
  }

  /** Bytes of all lines so far. */
  get bytes(): number {
    return this.#totalBytes;
  }

  /** Adds the next rows. The caller may reuse the bytes once it resolves. Throws `disk_full`, `store_degraded`. */
  async append({ bytes, numbers, reused }: ArrivingRows): Promise<void> {
    this.#totalBytes += bytes.length;
    if (numbers !== undefined) this.addNumbers(numbers);
    if (reused !== undefined) this.#reused.push(Uint8Array.from(reused));
    if (numbers === undefined && reused === undefined) await this.#cut(bytes);
    else await this.#takeWhole(bytes);
  }

  /** Adds the numbers of the next rows, before the rows themselves. Either all rows have numbers or none. */
  addNumbers(numbers: readonly number[]): void {
    for (const number of numbers) this.#numbers.push(number);
  }

  /** Stores the last batch with the call that creates the owner; resolves to its result. Throws as `append`. */
  async commit<T>(accept: (acceptance: Acceptance) => Promise<T>): Promise<T> {
    if (this.#tailBytes > 0 || this.#pieces > 0) await this.#cut(Uint8Array.of(newline));
    await this.#sending;
    const batches = this.#rows === 0 ? [] : [this.#takeBatch()];
    const result = await accept({ owner: this.#owner, batches });
    this.#isCommitted = true;
    return result;
  }

  /** Removes the rows; does nothing after a commit. Never rejects: the next start removes them too. */
  async abandon(): Promise<void> {
    if (this.#isCommitted) return;
    await this.#sending.catch(() => undefined);
    if (this.#isStaged) await this.#database.abandonRows(this.#owner);
  }

  async #takeWhole(bytes: Uint8Array): Promise<void> {
    this.#hold(Uint8Array.from(bytes));
    this.#rows += countLines(bytes);
    this.#tailBytes = 0;
    const reusedBytes = this.#reused.reduce((sum, { length }) => sum + length, 0);
    if (this.#rows >= maxBatchRows || this.#chunkBytes + reusedBytes >= maxBatchBytes) await this.#flush();
  }

  async #cut(bytes: Uint8Array): Promise<void> {
    let start = 0;
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) {
      const end = at + 1;
      this.#rows += 1;
      const isFull = this.#rows === maxBatchRows || this.#chunkBytes + end - start >= maxBatchBytes;
      if (!isFull && this.#pieces === 0) continue;
      this.#hold(bytes.subarray(start, end));
      start = end;
      await this.#flush();
    }
    if (start === bytes.length) return;
    const rest = Uint8Array.from(bytes.subarray(start));
    this.#hold(rest);
    const lastLine = rest.lastIndexOf(newline) + 1;
    this.#tailBytes = lastLine > 0 ? rest.length - lastLine : this.#tailBytes + rest.length;
    if (this.#tailBytes > maxBlobBytes || (this.#pieces > 0 && this.#tailBytes >= pieceBytes))
      await this.#sendPieces();
  }

  #hold(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#chunkBytes += bytes.length;
  }

  /** Stores the incomplete line as pieces, after the batch before it. */
  async #sendPieces(): Promise<void> {
    const all = joinBytes(this.#chunks);
    const tail = all.subarray(all.length - this.#tailBytes);
    if (this.#rows > 0) {
      this.#chunks = [all.subarray(0, all.length - this.#tailBytes)];
      await this.#flush();
    }
    for (let at = 0; at < tail.length; at += pieceBytes)
      await this.#sendPiece(tail.subarray(at, at + pieceBytes));
    this.#empty();
  }

  async #sendPiece(bytes: Uint8Array): Promise<void> {
    const piece = { firstRow: this.#firstRow, piece: this.#pieces, bytes: Uint8Array.from(bytes) };
    this.#pieces += 1;
    await this.#send(() => this.#database.write('stagePiece', this.#owner, piece));
  }

  async #flush(): Promise<void> {
    if (this.#pieces > 0) {
      // The end of a large row: its batch has no lines of its own.
      await this.#sendPiece(joinBytes(this.#chunks));
      this.#empty();
      this.#rows = 1;
      this.#pieces = 0;
      await this.#sendBatch({ ...this.#takeBatch(), lines: undefined });
    } else await this.#sendBatch(this.#takeBatch());
  }

  #sendBatch(batch: NewRowBatch): Promise<void> {
    return this.#send(() => this.#database.write('stageRows', { owner: this.#owner, batches: [batch] }));
  }

  /** Stores a batch while the next one is collected. */
  async #send(write: () => Promise<unknown>): Promise<void> {
    await this.#sending;
    this.#isStaged = true;
    this.#sending = write();
    // The next caller that awaits `#sending` gets the error.
    this.#sending.catch(() => undefined);
  }

  #takeBatch(): NewRowBatch {
    const numbers = this.#numbers.slice(this.#firstRow - 1, this.#firstRow - 1 + this.#rows);
    const batch: NewRowBatch = {
      firstRow: this.#firstRow,
      rows: this.#rows,
      lines: joinBytes(this.#chunks),
      ...(numbers.length === 0 ? {} : { numbers: encodeRowNumbers(numbers) }),
      ...(this.#reused.length === 0 ? {} : { reused: joinBytes(this.#reused) }),
    };
    this.#firstRow += this.#rows;
    this.#rows = 0;
    this.#reused = [];
    this.#empty();
    return batch;
  }

  #empty(): void {
    this.#chunks = [];
    this.#chunkBytes = 0;
    this.#tailBytes = 0;
  }
}
