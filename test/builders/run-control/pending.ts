// The events that could happen next, in a process whose disk and workers answer when the test lets them.

/** Everything that promises alone can do has been done when it resolves. */
export const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Pending {
  #tasks: (() => void)[] = [];

  get size(): number {
    return this.#tasks.length;
  }

  add(task: () => void): void {
    this.#tasks.push(task);
  }

  /** Lets one thing happen; which one is the caller's choice. */
  async let(choice: number): Promise<void> {
    const [task] = this.#tasks.splice(choice % Math.max(1, this.#tasks.length), 1);
    task?.();
    await quiet();
  }

  /** Lets everything happen, and whatever follows from it, in an order that `random` gives. */
  async letAll(random: () => number): Promise<void> {
    await quiet();
    while (this.size > 0) await this.let(Math.floor(random() * this.size));
  }

  /** Messages from one end to the other, in their order, each at a moment of its own. */
  channel<T>(deliver: (message: T) => void): (message: T) => void {
    const messages: T[] = [];
    const next = (): void => {
      const message = messages.shift() as T;
      if (messages.length > 0) this.add(next);
      deliver(message);
    };
    return (message) => {
      messages.push(message);
      if (messages.length === 1) this.add(next);
    };
  }
}
