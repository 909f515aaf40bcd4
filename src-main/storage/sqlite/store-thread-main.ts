// The storage thread's own program: it has one connection to `rowbench.db` and answers calls, so that a disk that takes
// its time never keeps a request waiting. Started by `store-thread.ts`, once as the writer and once as the reader.
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { invariant } from '../../base/invariant.ts';
import { readAnswers, writeAnswers } from './answer-calls.ts';
import { loadSqlite, openForReading, openForWriting } from './open-database.ts';
import { copyAndMigrate } from './format-backup.ts';
import { ReleasedBuffers } from './released-buffers.ts';
import { assertKnownFormat, readAsMigrated } from './schema.ts';
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
void serve(parentPort, workerData as ThreadData);

async function serve(port: MessagePort, { path, role, waits }: ThreadData): Promise<void> {
  const released = new ReleasedBuffers(maxReleasedBytes);
  const send = (message: FromThread): void => port.postMessage(message);
  const reply = (calls: readonly ThreadCall[], replies: readonly ThreadReply[]): void => {
    const passedOn = buffersIn(replies);
    released.count([...buffersIn(calls), ...passedOn]);
    port.postMessage(replies, passedOn);
  };
  try {
    if (waits) {
      await loadSqlite();
      if (!(await isToOpen(port))) return port.close();
    }
    const database = role === 'writer' ? await openForWriting(path) : await openForReading(path);
    assertKnownFormat(database);
    if (role === 'writer') copyAndMigrate(database, path);
    else readAsMigrated(database);
    const answer = role === 'writer' ? writeAnswers(database) : readAnswers(database);
    port.on('message', (first: ToThread) => {
      const calls: ThreadCall[] = [];
      let message: ToThread | undefined = first;
      while (typeof message === 'object') {
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

/** Waits for the first message. Resolves to false if the thread is to end instead. */
async function isToOpen(port: MessagePort): Promise<boolean> {
  const first = await new Promise<ToThread>((resolve) => port.once('message', resolve));
  // Without a listener, the port does not keep the thread alive.
  port.ref();
  return first === 'open';
}
