// The main thread's side of the thread that answers questions over all rows of runs: starts it with the first question, and
// makes the reads that the thread waits for. Who calls: TeamDatabase.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { AppError } from '../../base/app-error.ts';
import { outOfResources } from '../../domain/store-errors.ts';
import { StoreThread } from '../../storage/sqlite/store-thread.ts';
import {
  buffersIn,
  failureOf,
  type ThreadCall,
  type ThreadReply,
} from '../../storage/sqlite/thread-messages.ts';
import type { QuestionReads, ReadChannel } from './synchronous-reads.ts';
import { databaseUnavailable, storeErrorOf } from '../team-errors.ts';

/** The thread's questions by their names; `StoreReader` has their types. */
type Questions = Record<string, (...args: readonly unknown[]) => unknown>;

export class QuestionThread {
  readonly #script: string;
  readonly #reads: Asynchronous<QuestionReads>;
  #thread: Promise<StoreThread<Questions>> | undefined;

  /** @param script path of the bundled thread program */
  constructor(script: string, reads: Asynchronous<QuestionReads>) {
    this.#script = script;
    this.#reads = reads;
  }

  /** Throws the errors of the question, and `out_of_resources`. */
  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    const thread = await (this.#thread ??= this.#open());
    try {
      return await thread.call(method, ...args);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The thread's messages have no cause and no time after which to try again.
      if (error.code === 'out_of_resources') throw databaseUnavailable(error);
      // The thread has ended; the next question starts another one.
      if (error.code === 'store_degraded') throw outOfResources(error);
      throw error;
    }
  }

  /** Waits for questions that are under way. */
  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.close();
  }

  async #open(): Promise<StoreThread<Questions>> {
    const { port1, port2 } = new MessageChannel();
    const answers = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    port1.on('message', (call: ThreadCall) => void this.#answer(port1, answers, call));
    try {
      return await StoreThread.open<Questions>({
        script: this.#script,
        name: 'Rowbench questions',
        data: { port: port2, answers } satisfies ReadChannel,
        ports: [port2],
        onDied: () => {
          this.#thread = undefined;
        },
      });
    } catch (error) {
      port1.close();
      this.#thread = undefined;
      throw outOfResources(error);
    }
  }

  async #answer(port: MessagePort, answers: SharedArrayBuffer, call: ThreadCall): Promise<void> {
    const reply = await this.#read(call);
    port.postMessage(reply, buffersIn([reply]));
    const count = new Int32Array(answers);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  }

  async #read({ id, method, args }: ThreadCall): Promise<ThreadReply> {
    try {
      const reads = this.#reads as unknown as Record<
        string,
        (...args: readonly unknown[]) => Promise<unknown>
      >;
      return { id, value: await reads[method]?.(...args) };
    } catch (error) {
      return { id, failure: failureOf(storeErrorOf(error)) };
    }
  }
}

/** The methods of a store, each with a promise of its result. */
export type Asynchronous<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};
