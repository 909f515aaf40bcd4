// The last few queries over all rows of a run, and their answers. A query goes on while clients ask for it: nothing has to be
// stopped, and one that no client asks for any more is dropped by later ones.
import { LruMap } from '../../../base/lru-map.ts';
import { stepMs } from '../line-cursor.ts';

/** A running query: it yields the number of rows read so far. */
export type Steps<Answer> = Generator<number, Answer, undefined>;

type Progress<Answer> =
  | { readonly isReady: false; readonly rowsRead: number }
  | { readonly isReady: true; readonly answer: Answer };

type Options<Answer> = {
  readonly maxQueries: number;
  /** Maximum bytes of all answers; absent: they are small. */
  readonly maxBytes?: number;
  readonly bytesOf?: (answer: Answer) => number;
};

type Query<Answer> = { readonly steps: Steps<Answer>; readonly answer?: Answer };

export class ContinuedQueries<Answer> {
  readonly #queries: LruMap<string, Query<Answer>>;

  constructor({ maxQueries, maxBytes = Infinity, bytesOf = () => 0 }: Options<Answer>) {
    this.#queries = new LruMap({
      maxEntries: maxQueries,
      maxSize: maxBytes,
      sizeOf: ({ answer }) => (answer === undefined ? 0 : bytesOf(answer)),
    });
  }

  has(key: string): boolean {
    return this.#queries.has(key);
  }

  /**
   * Works on a query for some milliseconds; starts it if it does not run. Throws what the query throws, which then starts
   * anew.
   */
  advance(key: string, start: () => Steps<Answer>): Progress<Answer> {
    const query = this.#queries.get(key) ?? { steps: start() };
    if (query.answer !== undefined) return { isReady: true, answer: query.answer };
    this.#queries.set(key, query);
    try {
      const step = stepFor(query.steps);
      if (step.done !== true) return { isReady: false, rowsRead: step.value };
      this.#queries.set(key, { ...query, answer: step.value });
      return { isReady: true, answer: step.value };
    } catch (error) {
      this.#queries.delete(key);
      throw error;
    }
  }

  /** The same for an answer that may be another one the next time: it is not kept. */
  advanceOnce(key: string, start: () => Steps<Answer>): Progress<Answer> {
    const step = this.advance(key, start);
    if (step.isReady) this.#queries.delete(key);
    return step;
  }
}

/** Works for some milliseconds. */
export function stepFor<Answer>(steps: Steps<Answer>): IteratorResult<number, Answer> {
  const endMs = performance.now() + stepMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() >= endMs) return step;
  }
}
