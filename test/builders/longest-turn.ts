// Shows if work holds up this thread: the longest time without a turn of the event loop, as a part of the whole time. Time
// in which the thread waited for a core does not count.
import { awakeMsBetween, momentOf, thisThread } from '../proof/awake-time.mjs';

type Turn<Result> = { readonly result: Result; readonly longestPart: number };

/** A part below this is work in pieces. */
const maxPart = 0.5;
const maxAttempts = 3;

/**
 * Runs the work, up to three times while it seems to be one piece: such work holds the thread each time, a collection of garbage does not.
 * @returns `longestPart`: from 0 to 1; near 1 for work that is one synchronous piece
 */
export async function longestTurn<Result>(work: () => Promise<Result>): Promise<Turn<Result>> {
  let best = await turnOf(work);
  for (let attempt = 1; attempt < maxAttempts && best.longestPart >= maxPart; attempt += 1) {
    const again = await turnOf(work);
    if (again.longestPart < best.longestPart) best = again;
  }
  return best;
}

async function turnOf<Result>(work: () => Promise<Result>): Promise<Turn<Result>> {
  const from = momentOf([thisThread]);
  let last = from;
  let longestMs = 0;
  const note = (): void => {
    const now = momentOf([thisThread]);
    longestMs = Math.max(longestMs, awakeMsBetween(last, now));
    last = now;
  };
  const timer = setInterval(note, 1);
  try {
    const result = await work();
    note();
    return { result, longestPart: longestMs / awakeMsBetween(from, last) };
  } finally {
    clearInterval(timer);
  }
}
