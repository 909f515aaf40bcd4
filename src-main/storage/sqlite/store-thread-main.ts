// The storage thread's own program: it has one connection to `rowbench.db` and answers calls, so that a disk that takes
// its time never keeps a request waiting. Started by `store-thread.ts`, once as the writer and once as the reader.
//
// The writer puts all calls that have arrived into one transaction (group commit): a slow disk is waited for once.
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { invariant } from '../../base/invariant.ts';
import { BufferCollector } from './buffer-collector.ts';
import { openForReading, openForWriting, type Database } from './open-database.ts';
import { migrate } from './schema.ts';
import { openReader } from './store-reader.ts';
import { StoreWriter } from './store-writer.ts';
import {
  buffersIn,
  failureOf,
  type Call,
  type FromThread,
  type Reply,
  type ThreadData,
  type ToThread,
} from './thread-messages.ts';

/** Calls in one transaction: others wait for all of them. */
const maxGroup = 256;

/** The objects that have the methods which can be called. */
type Stores = readonly object[];
type Method = (...args: readonly unknown[]) => unknown;
type Answer = (calls: readonly Call[]) => readonly Reply[];

invariant(parentPort !== null, 'this program runs in a worker thread');
await serve(parentPort, workerData as ThreadData);

async function serve(port: MessagePort, { path, role }: ThreadData): Promise<void> {
  const collector = new BufferCollector();
  const send = (message: FromThread): void => port.postMessage(message);
  const reply = (calls: readonly Call[], replies: readonly Reply[]): void => {
    const passedOn = buffersIn(replies);
    collector.note([...buffersIn(calls), ...passedOn]);
    port.postMessage(replies, passedOn);
  };
  try {
    const database = role === 'writer' ? await openForWriting(path) : await openForReading(path);
    if (role === 'writer') migrate(database);
    const answer = role === 'writer' ? writing(database) : reading(database);
    port.on('message', (first: ToThread) => {
      const calls: Call[] = [];
      let message: ToThread | undefined = first;
      while (message !== undefined && message !== 'close') {
        calls.push(...message);
        message =
          calls.length < maxGroup ? (receiveMessageOnPort(port)?.message as ToThread | undefined) : undefined;
      }
      if (calls.length > 0) reply(calls, answer(calls));
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

function reading(database: Database): Answer {
  const stores = openReader(database);
  return (calls) => calls.map((call) => attempt(call, () => invoke(stores, call)));
}

function writing(database: Database): Answer {
  const stores = [new StoreWriter(database), ...openReader(database)];
  /** One call alone, or each behind a savepoint, so that one failure takes back nothing of the others. */
  const transact: Answer = (calls) => {
    database.exec('begin immediate');
    try {
      const [only] = calls;
      const replies =
        calls.length === 1 && only !== undefined
          ? [{ id: only.id, value: invoke(stores, only) }]
          : calls.map((call) => attempt(call, () => savepoint(database, () => invoke(stores, call))));
      database.exec('commit');
      return replies;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
  const alone: Answer = (calls) => {
    try {
      return transact(calls);
    } catch (error) {
      return calls.map(({ id }) => ({ id, failure: failureOf(error) }));
    }
  };
  return (calls) => {
    if (calls.length === 1) return alone(calls);
    try {
      return transact(calls);
    } catch {
      // Nothing of the group is stored. Each call gets its own transaction, so that only those fail that must.
      return calls.flatMap((call) => alone([call]));
    }
  };
}

function attempt({ id }: Call, act: () => unknown): Reply {
  try {
    return { id, value: act() };
  } catch (error) {
    if (error instanceof TransactionLost) throw error;
    return { id, failure: failureOf(error) };
  }
}

/** SQLite has rolled the whole transaction back by itself, as it does when the disk is full. */
class TransactionLost extends Error {}

function savepoint(database: Database, act: () => unknown): unknown {
  database.exec('savepoint call');
  try {
    const value = act();
    database.exec('release call');
    return value;
  } catch (error) {
    if (!database.isTransaction) throw new TransactionLost();
    database.exec('rollback to call; release call');
    throw error;
  }
}

function invoke(stores: Stores, { method, args }: Call): unknown {
  const store = stores.find((candidate) => method in candidate);
  invariant(store !== undefined, `the storage thread has no method ${method}`);
  return (store as Record<string, Method>)[method]?.apply(store, [...args]);
}
