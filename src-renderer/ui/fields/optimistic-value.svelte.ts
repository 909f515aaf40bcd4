// Optimistic value: shows the user's choice until the server confirms or rejects it. Choices are sent to the server one
// after another; of the waiting ones only the newest is sent.

type OptimisticValueOptions<Value> = {
  /** The last value that the server reported. */
  readonly confirmed: () => Value;
  /** Sends the choice. Rejects if the server does not accept it. */
  readonly send: (value: Value) => Promise<void>;
  /** Reports the error of a rejected choice, usually as a toast. */
  readonly onproblem: (error: unknown) => void;
};

/** Time within which the feed reports an accepted choice; after that, the reported value is shown. */
const maxConfirmMs = 2_000;

export class OptimisticValue<Value extends string | boolean> {
  readonly #options: OptimisticValueOptions<Value>;
  /** Undefined: the server's value is shown. */
  #chosen = $state.raw<Value | undefined>();
  #isSending = $state(false);

  /** Create it while a component is set up. */
  constructor(options: OptimisticValueOptions<Value>) {
    this.#options = options;
    $effect(() => {
      if (options.confirmed() === this.#chosen && !this.#isSending) this.#chosen = undefined;
      if (this.#chosen === undefined || this.#isSending) return;
      const timer = setTimeout(() => (this.#chosen = undefined), maxConfirmMs);
      return () => clearTimeout(timer);
    });
  }

  /** The value to show. */
  get value(): Value {
    return this.#chosen ?? this.#options.confirmed();
  }

  /** Shows and sends the choice. Never rejects. */
  async choose(value: Value): Promise<void> {
    this.#chosen = value;
    if (this.#isSending) return;
    this.#isSending = true;
    let isAccepted = false;
    for (let sent: Value | undefined; sent !== this.#chosen;) {
      sent = this.#chosen;
      isAccepted = await this.#send(sent);
    }
    if (!isAccepted) this.#chosen = undefined;
    this.#isSending = false;
  }

  async #send(value: Value): Promise<boolean> {
    try {
      await this.#options.send(value);
      return true;
    } catch (error) {
      this.#options.onproblem(error);
      return false;
    }
  }
}
