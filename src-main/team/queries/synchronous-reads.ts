// Reads of a team's database for synchronous code in a thread: each waits until the main thread has asked the database and
// sent the answer. Batches that are read in order are asked for ahead. Who calls: the program of the question thread.
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { LruMap } from '../../base/lru-map.ts';
import type { BatchReads, PieceAddress } from '../../storage/sqlite/batch-queries.ts';
import type { NewestRunQuery, RunQueries } from '../../storage/sqlite/queries/run-queries.ts';
import type { OutputPart, RowOwner } from '../../storage/sqlite/stored-batches.ts';
import { errorOf, type ThreadCall, type ThreadReply } from '../../storage/sqlite/thread-messages.ts';

/** All that row questions read. */
export type QuestionReads = BatchReads & Pick<RunQueries, 'newestRun'>;

/** The ends of the channel over which a thread asks. */
export type ReadChannel = {
  readonly port: MessagePort;
  /** One Int32 that counts the answers, so that the thread can wait for the next one. */
  readonly answers: SharedArrayBuffer;
};

/** Maximum series of batches whose next batch is read ahead; each batch may have a megabyte. */
const maxSeries = 8;

type Reads = { readonly [Name in keyof QuestionReads]: QuestionReads[Name] };
type ResultOf<Name extends keyof Reads> = ReturnType<Reads[Name]>;
/** Next position of a series, and the call that reads it ahead. */
type Series = { readonly next: number; readonly ahead?: number };

export class SynchronousReads implements QuestionReads {
  readonly #port: MessagePort;
  readonly #answers: Int32Array;
  readonly #series = new LruMap<string, Series>({ maxEntries: maxSeries });
  /** Replies that arrived and were not used yet. */
  readonly #replies = new Map<number, ThreadReply>();
  /** Extents that this step has read. */
  readonly #extents = new Map<string, ResultOf<'extent'>>();
  #lastId = 0;

  constructor({ port, answers }: ReadChannel) {
    this.#port = port;
    this.#answers = new Int32Array(answers);
  }

  /** Begins a step of a question, which reads the extents of runs again. */
  beginStep(): void {
    this.#extents.clear();
  }

  rowBatch(owner: RowOwner, row: number): ResultOf<'rowBatch'> {
    return this.#readInOrder(`rows ${JSON.stringify(owner)}`, row, (at) => this.#send('rowBatch', owner, at));
  }

  outputBatch(runId: string, row: number, part: OutputPart): ResultOf<'outputBatch'> {
    return this.#readInOrder(`${part} ${runId}`, row, (at) => this.#send('outputBatch', runId, at, part));
  }

  extent(runId: string): ResultOf<'extent'> {
    const known = this.#extents.get(runId);
    if (known !== undefined) return known;
    const extent = this.#ask('extent', runId);
    this.#extents.set(runId, extent);
    return extent;
  }

  rowNumbers(runId: string, firstRow: number, rows: number): ResultOf<'rowNumbers'> {
    return this.#ask('rowNumbers', runId, firstRow, rows);
  }

  positionOfNumber(runId: string, number: number): ResultOf<'positionOfNumber'> {
    return this.#ask('positionOfNumber', runId, number);
  }

  nextFailedBatch(runId: string, row: number): ResultOf<'nextFailedBatch'> {
    return this.#ask('nextFailedBatch', runId, row);
  }

  piece(address: PieceAddress): ResultOf<'piece'> {
    return this.#ask('piece', address);
  }

  newestRun(query: NewestRunQuery): ResultOf<'newestRun'> {
    return this.#ask('newestRun', query);
  }

  /** Reads the batch of a row; after a batch that follows on another one, the next is asked for ahead. */
  #readInOrder<Batch extends { readonly firstRow: number; readonly rows: number }>(
    key: string,
    row: number,
    send: (row: number) => number,
  ): Batch | undefined {
    const series = this.#series.get(key);
    const isNext = row === (series?.next ?? 1);
    let batch: Batch | undefined;
    if (series?.ahead !== undefined) {
      const reply = this.#waitFor(series.ahead);
      if (isNext && 'value' in reply) batch = reply.value as Batch | undefined;
    }
    // Also if the early read found nothing: rows may have been added since.
    batch ??= this.#valueOf<Batch | undefined>(send(row));
    this.#series.delete(key);
    if (batch === undefined) return undefined;
    const next = batch.firstRow + batch.rows;
    this.#series.set(key, isNext ? { next, ahead: send(next) } : { next });
    return batch;
  }

  #ask<Name extends keyof Reads>(method: Name, ...args: Parameters<Reads[Name]>): ResultOf<Name> {
    return this.#valueOf<ResultOf<Name>>(this.#send(method, ...args));
  }

  /** Returns the call's id. */
  #send<Name extends keyof Reads>(method: Name, ...args: Parameters<Reads[Name]>): number {
    const id = (this.#lastId += 1);
    this.#port.postMessage({ id, method, args } satisfies ThreadCall);
    return id;
  }

  /** Throws the errors of the read. */
  #valueOf<Value>(id: number): Value {
    const reply = this.#waitFor(id);
    if ('failure' in reply) throw errorOf(reply.failure);
    return reply.value as Value;
  }

  #waitFor(id: number): ThreadReply {
    for (;;) {
      // Read before the port: an answer that comes in between ends the wait at once.
      const answers = Atomics.load(this.#answers, 0);
      for (let message = this.#receive(); message !== undefined; message = this.#receive())
        this.#replies.set(message.id, message);
      const reply = this.#replies.get(id);
      if (reply === undefined) Atomics.wait(this.#answers, 0, answers);
      else {
        this.#replies.delete(id);
        return reply;
      }
    }
  }

  #receive(): ThreadReply | undefined {
    return receiveMessageOnPort(this.#port)?.message as ThreadReply | undefined;
  }
}
