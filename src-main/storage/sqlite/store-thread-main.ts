// The storage thread's own program: it has one connection to `rowbench.db` and answers calls, so that a disk that takes
// its time never keeps a request waiting. Started by `store-thread.ts`, once as the writer and once as the reader.
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { invariant } from '../../base/invariant.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { readAnswers, writeAnswers } from './answer-calls.ts';
import { openForReading, openForWriting } from './open-database.ts';
import { assertKnownFormat, migrate } from './schema.ts';
import {
  buffersIn,
  failureOf,
  type ThreadCall,
  type FromThread,
  type ThreadReply,
  type ThreadData,
  type ToThread,
} from './thread-messages.ts';

/** Calls in one transaction: others wait for all of them. */
const maxGroup = 256;
/** Bytes of released buffers that may wait for garbage collection. */
const maxReleasedBytes = 4_000_000;

invariant(parentPort !== null, 'this program runs in a worker thread');
await serve(parentPort, workerData as ThreadData);

async function serve(port: MessagePort, { path, role }: ThreadData): Promise<void> {
  let releasedBytes = 0;
  /** The engine counts only the small objects that hold the buffers: without this, up to 60 MB would wait. */
  const countReleased = (buffers: readonly ArrayBuffer[]): void => {
    for (const { byteLength } of buffers) releasedBytes += byteLength;
    if (releasedBytes < maxReleasedBytes) return;
    releasedBytes = 0;
    collectGarbage('minor');
  };
  const send = (message: FromThread): void => port.postMessage(message);
  const reply = (calls: readonly ThreadCall[], replies: readonly ThreadReply[]): void => {
    const passedOn = buffersIn(replies);
    countReleased([...buffersIn(calls), ...passedOn]);
    port.postMessage(replies, passedOn);
  };
  try {
    const database = role === 'writer' ? await openForWriting(path) : await openForReading(path);
    assertKnownFormat(database);
    if (role === 'writer') migrate(database);
    const answer = role === 'writer' ? writeAnswers(database) : readAnswers(database);
    port.on('message', (first: ToThread) => {
      const calls: ThreadCall[] = [];
      let message: ToThread | undefined = first;
      while (message !== undefined && message !== 'close') {
        calls.push(...message);
        message =
          calls.length < maxGroup ? (receiveMessageOnPort(port)?.message as ToThread | undefined) : undefined;
      }
      // Calls share a transaction, and its commit is waited for before any of them is answered. Readings share nothing.
      if (role === 'reader') for (const call of calls) reply([call], answer([call]));
      else if (calls.length > 0) reply(calls, answer(calls));
      if (message !== 'close') return;
      database.close();
      port.close();
    });
    send({ opened: true });
  } catch (error) {
    send({ opened: false, failure: failureOf(error) });
    port.close();
  }
}
