// What somebody chose, in sight from the press on: the next press counts from it, not from what was told before it.
// Presses go to the server one after another, the newest of those that wait alone. It goes again once it is told, or
// was refused.

type WantedParts<Value> = {
  /** What is so, as far as was told. */
  readonly told: () => Value;
  /** Gives whether it is so now. Never rejects. */
  readonly send: (value: Value) => Promise<boolean>;
};

/** What is done is told within that time, unless something else was done since: then what is told counts. */
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
