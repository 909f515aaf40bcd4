// Optimistic value: shows the user's choice until the server confirms or rejects it. Choices are sent to the server one
// after another; of the waiting ones only the newest is sent.

type WantedParts<Value> = {
  /** The last value that the server reported. */
  readonly told: () => Value;
  /** Gives whether it is so now. Never rejects. */
  readonly send: (value: Value) => Promise<boolean>;
};

/** Time within which the feed reports an accepted choice; after that, the reported value is shown. */
const toldWithinMs = 2_000;

export class Wanted<Value extends string | boolean> {
  readonly #parts: WantedParts<Value>;
  #wanted = $state.raw<Value | undefined>();
  #isSending = $state(false);

  /** To be made where a component begins. */
  constructor(parts: WantedParts<Value>) {
    this.#parts = parts;
    $effect(() => {
      if (parts.told() === this.#wanted && !this.#isSending) this.#wanted = undefined;
      if (this.#wanted === undefined || this.#isSending) return;
      const timer = setTimeout(() => (this.#wanted = undefined), toldWithinMs);
      return () => clearTimeout(timer);
    });
  }

  get shown(): Value {
    return this.#wanted ?? this.#parts.told();
  }

  async choose(value: Value): Promise<void> {
    this.#wanted = value;
    if (this.#isSending) return;
    this.#isSending = true;
    let isSo = false;
    for (let sent: Value | undefined; sent !== this.#wanted;) {
      sent = this.#wanted;
      isSo = await this.#parts.send(sent);
    }
    if (!isSo) this.#wanted = undefined;
    this.#isSending = false;
  }
}
