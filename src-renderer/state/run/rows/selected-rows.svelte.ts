// The rows that the user has selected, by their numbers. All rows of a view can be selected at once, without a list.
import { maxSelectedNumbers, type Condition, type RowSelection } from '#contract';

export class SelectedRows {
  /** True: all rows of the view are selected but those of `#numbers`. */
  #isInverted = $state(false);
  #numbers = $state.raw<ReadonlySet<number>>(new Set());

  get isEmpty(): boolean {
    return !this.#isInverted && this.#numbers.size === 0;
  }

  /** True if all rows of the view are selected. */
  get isAll(): boolean {
    return this.#isInverted && this.#numbers.size === 0;
  }

  /** @param total number of rows of the view */
  count(total: number): number {
    return this.#isInverted ? Math.max(0, total - this.#numbers.size) : this.#numbers.size;
  }

  has(row: number): boolean {
    return this.#numbers.has(row) !== this.#isInverted;
  }

  /** Selects or unselects these rows. Returns false if that would be more than a condition may list. */
  set(rows: readonly number[], isSelected: boolean): boolean {
    const numbers = new Set(this.#numbers);
    for (const row of rows)
      if (isSelected === this.#isInverted) numbers.delete(row);
      else numbers.add(row);
    if (numbers.size > maxSelectedNumbers) return false;
    this.#numbers = numbers;
    return true;
  }

  selectAll(): void {
    this.#isInverted = true;
    this.#numbers = new Set();
  }

  clear(): void {
    this.#isInverted = false;
    this.#numbers = new Set();
  }

  /** The selected rows of the view; without any, all of its rows. */
  within(view: RowSelection): RowSelection {
    const listed: Condition = {
      of: 'rows',
      numbers: [...this.#numbers].sort((one, other) => one - other),
      ...(this.#isInverted ? { isExcluded: true } : {}),
    };
    return this.#numbers.size === 0 ? view : { ...view, conditions: [...view.conditions, listed] };
  }
}
