// A request to the server and its answer, as a screen shows them. Only the newest request counts, even if answers arrive
// in another order. The old answer stays until a newer one arrives, also after an error.
import { LatestOnly } from './latest-only.ts';

/** A query of a component that is sent again, without its old answer, whenever its input is another one by value. */
export function queryFor<Input, Answer>(
  input: () => Input,
  request: (input: Input) => Promise<Answer>,
): Query<Answer> {
  const query = new Query<Answer>();
  const key = $derived(JSON.stringify(input()));
  $effect(() => {
    const now = JSON.parse(key) as Input;
    query.reset();
    void query.load(() => request(now));
  });
  return query;
}

export class Query<Answer> {
  readonly #latest = new LatestOnly();
  #value = $state.raw<Answer | undefined>();
  #problem = $state.raw<unknown>();
  #isLoading = $state(false);
  #request: (() => Promise<Answer>) | undefined;

  /** The newest answer; undefined until there is one. */
  get value(): Answer | undefined {
    return this.#value;
  }

  /** The error of the newest request; undefined unless that request failed. */
  get problem(): unknown {
    return this.#problem;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Sends the request. Resolves to its answer, or to undefined if it failed or is outdated. Never rejects. */
  async load(request: () => Promise<Answer>): Promise<Answer | undefined> {
    const signal = this.#latest.start();
    this.#request = request;
    this.#isLoading = true;
    try {
      const answer = await request();
      if (signal.aborted) return undefined;
      this.#value = answer;
      this.#problem = undefined;
      return answer;
    } catch (error) {
      if (!signal.aborted) this.#problem = error;
      return undefined;
    } finally {
      if (!signal.aborted) this.#isLoading = false;
    }
  }

  /** Sends the last request again. */
  async retry(): Promise<void> {
    if (this.#request !== undefined) await this.load(this.#request);
  }

  /** Changes the answer that is shown, after an action whose result is known. */
  update(change: (value: Answer) => Answer): void {
    if (this.#value !== undefined) this.#value = change(this.#value);
  }

  /** Clears the answer and the error, and ignores the pending request, because the screen shows something else now. */
  reset(): void {
    this.#latest.cancel();
    this.#request = undefined;
    this.#value = undefined;
    this.#problem = undefined;
    this.#isLoading = false;
  }
}
