// The rows that the user has selected, by their numbers. All rows of a view can be selected at once, without a list.
import { SvelteSet } from 'svelte/reactivity';
import { maxSelectedNumbers, type Condition, type RowSelection } from '#contract';

export class SelectedRows {
  /** True: all rows of the view are selected but those of `#numbers`. */
  #isInverted = $state(false);
  readonly #numbers = new SvelteSet<number>();

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
    const isListed = isSelected !== this.#isInverted;
    const changed = rows.filter((row) => this.#numbers.has(row) !== isListed);
    if (isListed && this.#numbers.size + changed.length > maxSelectedNumbers) return false;
    for (const row of changed)
      if (isListed) this.#numbers.add(row);
      else this.#numbers.delete(row);
    return true;
  }

  selectAll(): void {
    this.#isInverted = true;
    this.#numbers.clear();
  }

  clear(): void {
    this.#isInverted = false;
    this.#numbers.clear();
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
