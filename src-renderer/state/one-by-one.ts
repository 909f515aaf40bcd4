/** Works that must not overtake one another: each begins once the one before has ended, well or badly. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  /** Ends as the work does. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }
}
