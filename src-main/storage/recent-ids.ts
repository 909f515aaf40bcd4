/** The ids that were added last, so many of them. */
export class RecentIds {
  readonly #most: number;
  /** In the order in which they were added. */
  readonly #ids = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#most) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }
}
