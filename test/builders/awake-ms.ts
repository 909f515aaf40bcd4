import { awakeMsBetween, momentOf, thisThread } from '../proof/awake-time.mjs';

/** Time that the work takes without the time in which this thread waited for a core, in ms. */
export async function awakeMsOf(work: () => Promise<unknown>): Promise<number> {
  const from = momentOf([thisThread]);
  await work();
  return awakeMsBetween(from, momentOf([thisThread]));
}
