// The main thread's side of a storage thread: sends calls, settles their promises, and notices when the thread dies.
// Who calls: RunDatabase, and QuestionThread for a team.
import { Worker, type MessagePort } from 'node:worker_threads';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { storeDegraded } from '../../domain/store-errors.ts';
import { ReleasedBuffers } from './released-buffers.ts';
import { buffersIn, errorOf, type ThreadCall, type FromThread, type ToThread } from './thread-messages.ts';

type Method = (...args: never[]) => unknown;
/** The methods of a store that can be called from another thread. */
export type MethodName<Store> = {
  [Name in keyof Store]: Store[Name] extends Method ? Name : never;
}[keyof Store] &
  string;
export type Arguments<Store, Name extends keyof Store> = Store[Name] extends (...args: infer Args) => unknown
  ? Args
  : never;
export type MethodResult<Store, Name extends keyof Store> = Store[Name] extends (
  ...args: never[]
) => infer Result
  ? Result
  : never;

type ThreadOptions = {
  /** Path of the bundled thread program. */
  readonly script: string;
  /** Name for tools that list threads. */
  readonly name: string;
  /** The program's `workerData`. */
  readonly data: object;
  /** Ports in `data`. */
  readonly ports?: readonly MessagePort[];
  /** Called once when the thread ends without a request to end. */
  readonly onDied: (error: Error) => void;
};

/** Space for a thread's young objects, in MB: they are few, and the engine would keep 16. */
const maxYoungGenerationSizeMb = 3;

/**
 * Bytes of buffers to and from storage threads after which this thread collects young garbage: as much again in chunks of
 * bodies and frames of workers waits with them. With 16 MB, a run of 100,000 rows took 3 % more computing and 13 MB more.
 */
const released = new ReleasedBuffers(8_000_000);

/** A store whose methods run in a thread of their own. */
export class StoreThread<Store> {
  readonly #worker: Worker;
  readonly #onDied: (error: Error) => void;
  readonly #opened = deferred();
  readonly #ended = deferred();
  readonly #pending = new Map<number, Deferred<unknown>>();
  #outbox: ThreadCall[] = [];
  #lastId = 0;
  #state: 'open' | 'closing' | 'ended' = 'open';

  private constructor({ script, name, data, ports = [], onDied }: ThreadOptions) {
    this.#onDied = onDied;
    // A thread that waits may end before anything waits for it.
    this.#opened.promise.catch(() => undefined);
    this.#worker = new Worker(script, {
      workerData: data,
      transferList: [...ports],
      name,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#worker.on('exit', (code) => this.#end(new Error(`the storage thread ended with code ${code}`)));
  }

  /**
   * Starts the thread. Rejects with what kept it from opening the file.
   * @param after a thread that `waits` opens the file once this resolves, and ends if it rejects
   */
  static async open<Store>(options: ThreadOptions, after?: Promise<unknown>): Promise<StoreThread<Store>> {
    const thread = new StoreThread<Store>(options);
    if (after !== undefined)
      await after.then(
        () => thread.#post('open'),
        () => thread.close(),
      );
    await thread.#opened.promise;
    return thread;
  }

  /** Calls a method of the store. Uint8Arrays that have their memory to themselves are handed over, not copied. */
  call<Name extends MethodName<Store>>(
    method: Name,
    ...args: Arguments<Store, Name>
  ): Promise<MethodResult<Store, Name>> {
    if (this.#state !== 'open')
      return Promise.reject(storeDegraded(new Error('the storage thread has ended')));
    const id = (this.#lastId += 1);
    const reply = deferred<unknown>();
    this.#pending.set(id, reply);
    // One message for all calls of a turn, so that they share a transaction.
    if (this.#outbox.length === 0) setImmediate(() => this.#flush());
    this.#outbox.push({ id, method, args });
    return reply.promise as Promise<MethodResult<Store, Name>>;
  }

  /** Answers the calls that were made, closes the file and ends the thread. */
  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#flush();
      this.#state = 'closing';
      this.#post('close');
    }
    await this.#ended.promise;
  }

  #flush(): void {
    const calls = this.#outbox;
    this.#outbox = [];
    if (calls.length > 0 && this.#state === 'open') this.#post(calls);
  }

  #post(message: ToThread): void {
    const passedOn = typeof message === 'string' ? [] : buffersIn(message);
    released.count(passedOn);
    this.#worker.postMessage(message, passedOn);
  }

  #receive(message: FromThread): void {
    if ('opened' in message) {
      if (message.opened) this.#opened.resolve();
      else {
        this.#state = 'closing';
        this.#opened.reject(errorOf(message.failure));
      }
      return;
    }
    released.count(buffersIn(message));
    for (const reply of message) {
      const waiting = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('failure' in reply) waiting?.reject(errorOf(reply.failure));
      else waiting?.resolve(reply.value);
    }
  }

  #end(error: Error): void {
    if (this.#state === 'ended') return;
    const wasRequested = this.#state === 'closing';
    this.#state = 'ended';
    this.#ended.resolve();
    this.#opened.reject(error);
    for (const waiting of this.#pending.values()) waiting.reject(storeDegraded(error));
    this.#pending.clear();
    if (!wasRequested) this.#onDied(error);
  }
}
