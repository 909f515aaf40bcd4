/** Undo history of limited size: the oldest steps are dropped first. */
export class History<Step> {
  readonly #maxWeight: number;
  readonly #weigh: (step: Step) => number;
  #past: { readonly step: Step; readonly weight: number }[] = [];
  #future: { readonly step: Step; readonly weight: number }[] = [];
  #weight = 0;

  /** @param maxWeight maximum weight of all steps together; the latest step is always kept */
  constructor(maxWeight: number, weigh: (step: Step) => number) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Adds a new step. Steps that were undone before can no longer be redone. */
  add(step: Step): void {
    for (const { weight } of this.#future) this.#weight -= weight;
    this.#future = [];
    const weight = this.#weigh(step);
    this.#past.push({ step, weight });
    this.#weight += weight;
    let dropped = 0;
    for (; this.#weight > this.#maxWeight && dropped < this.#past.length - 1; dropped += 1) {
      this.#weight -= this.#past[dropped]?.weight ?? 0;
    }
    if (dropped > 0) this.#past.splice(0, dropped);
  }

  /** Returns the latest step, which the caller reverts. */
  undo(): Step | undefined {
    return move(this.#past, this.#future);
  }

  /** Returns the step that was undone last, which the caller applies again. */
  redo(): Step | undefined {
    return move(this.#future, this.#past);
  }
}

function move<Entry extends { readonly step: unknown }>(
  from: Entry[],
  to: Entry[],
): Entry['step'] | undefined {
  const entry = from.pop();
  if (entry !== undefined) to.push(entry);
  return entry?.step;
}
