// The server's response to one request of a screen, requested again whenever there is news. The newest request counts,
// in whatever order responses arrive. The old value stays until a newer one arrives; an error is kept beside the value.
import { Turns } from './turns.ts';

export class Fetched<Answer> {
  readonly #turns = new Turns();
  #value = $state.raw<Answer | undefined>();
  #problem = $state.raw<unknown>();
  #isAsking = $state(false);
  #question: (() => Promise<Answer>) | undefined;

  /** The newest answer; undefined until there is one. */
  get value(): Answer | undefined {
    return this.#value;
  }

  /** Why the newest asking came to nothing. */
  get problem(): unknown {
    return this.#problem;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Gives the answer; undefined where it failed or something newer has overtaken it. Never rejects. */
  async ask(question: () => Promise<Answer>): Promise<Answer | undefined> {
    const isNewest = this.#turns.take();
    this.#question = question;
    this.#isAsking = true;
    try {
      const answer = await question();
      if (!isNewest()) return undefined;
      this.#value = answer;
      this.#problem = undefined;
      return answer;
    } catch (error) {
      if (isNewest()) this.#problem = error;
      return undefined;
    } finally {
      if (isNewest()) this.#isAsking = false;
    }
  }

  /** Asks once more what was asked last. */
  async retry(): Promise<void> {
    if (this.#question !== undefined) await this.ask(this.#question);
  }

  /** Another thing is shown from now on: nothing is known of it yet, and what is under way no longer counts. */
  forget(): void {
    this.#turns.take();
    this.#question = undefined;
    this.#value = undefined;
    this.#problem = undefined;
    this.#isAsking = false;
  }
}
