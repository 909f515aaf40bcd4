/** Steps that can be taken back and done again. What they hold is bounded: the oldest are forgotten first. */
export class History<Step> {
  readonly #most: number;
  readonly #weigh: (step: Step) => number;
  #past: { readonly step: Step; readonly weight: number }[] = [];
  #future: { readonly step: Step; readonly weight: number }[] = [];
  #weight = 0;

  /** `most`: what all steps together may weigh; the latest is kept whatever it weighs. */
  constructor(most: number, weigh: (step: Step) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** A new step; what was taken back before it cannot be done again. */
  add(step: Step): void {
    for (const { weight } of this.#future) this.#weight -= weight;
    this.#future = [];
    const weight = this.#weigh(step);
    this.#past.push({ step, weight });
    this.#weight += weight;
    let forgotten = 0;
    for (; this.#weight > this.#most && forgotten < this.#past.length - 1; forgotten += 1) {
      this.#weight -= this.#past[forgotten]?.weight ?? 0;
    }
    if (forgotten > 0) this.#past.splice(0, forgotten);
  }

  /** The latest step, to be taken back. */
  undo(): Step | undefined {
    return move(this.#past, this.#future);
  }

  /** The step that was taken back last, to be done again. */
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
