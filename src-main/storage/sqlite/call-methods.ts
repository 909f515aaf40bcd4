// Calls of methods by their names, as they arrive in a thread. Who calls: the programs of threads.
import { invariant } from '../../base/invariant.ts';
import { failureOf, type ThreadCall, type ThreadReply } from './thread-messages.ts';

/** The objects that have the methods which can be called. */
type Stores = readonly object[];
type Method = (...args: readonly unknown[]) => unknown;
/** One reply to each call. */
export type Answer = (calls: readonly ThreadCall[]) => readonly ThreadReply[];

/** Answers each call by itself. */
export const answerCalls =
  (stores: Stores): Answer =>
  (calls) =>
    calls.map((call) => attempt(call, () => invoke(stores, call)));

/** The reply to a call, with what `act` returns or throws. @param isThrown true of errors that no reply tells */
export function attempt(
  { id }: ThreadCall,
  act: () => unknown,
  isThrown: (error: unknown) => boolean = () => false,
): ThreadReply {
  try {
    return { id, value: act() };
  } catch (error) {
    if (isThrown(error)) throw error;
    return { id, failure: failureOf(error) };
  }
}

export function invoke(stores: Stores, { method, args }: ThreadCall): unknown {
  const store = stores.find((candidate) => method in candidate);
  invariant(store !== undefined, `the storage thread has no method ${method}`);
  return (store as Record<string, Method>)[method]?.apply(store, [...args]);
}
