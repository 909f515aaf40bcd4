// One action of a component, such as sending a form: its progress, its error, and if the user has left the component
// meanwhile. A late answer must not close, focus or show anything that the user did not ask for.
import { errorText } from '#contract';
import type { Toasts } from './toasts.svelte.ts';

export class Submission {
  readonly #toasts: Pick<Toasts, 'problem'>;
  readonly #showsProblem: boolean;
  #isBusy = $state(false);
  #problem = $state<string | undefined>();
  #hasLeft = false;

  /**
   * Create it while a component is set up: the component's removal means that the user has left.
   * @param toasts show errors that the component does not show
   * @param options.showsProblem the component shows `problem` itself; only after the user has left, errors become toasts
   */
  constructor(toasts: Pick<Toasts, 'problem'>, { showsProblem = false } = {}) {
    this.#toasts = toasts;
    this.#showsProblem = showsProblem;
    $effect(() => () => this.leave());
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Why the last submission failed; always undefined unless the component shows its problems. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** True if the component has been removed from the page. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Marks that the user has left; called when the component is removed. */
  leave(): void {
    this.#hasLeft = true;
  }

  /** Shows an error that was found before anything is sent; undefined clears it. */
  reject(problem: string | undefined): void {
    this.#problem = problem;
  }

  /**
   * Runs the action, unless another is running. Never rejects.
   * @param after called with the result, unless the action failed or the user has left
   */
  async submit<Result>(action: () => Promise<Result>, after?: (result: Result) => void): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#problem = undefined;
    try {
      const result = await action();
      if (!this.#hasLeft) after?.(result);
    } catch (error) {
      if (this.#showsProblem && !this.#hasLeft) this.#problem = errorText(error);
      else this.#toasts.problem(error);
    } finally {
      this.#isBusy = false;
    }
  }
}
