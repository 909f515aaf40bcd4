// Sizes of the panes of a workflow's page that the user has chosen, kept in this browser.

/** Shares of the page: the widths of graph and inspector, and the height of the drawer. */
type Pane = 'graph' | 'inspector' | 'drawer';
type Sizes = Readonly<Partial<Record<Pane, number | undefined>>>;

const storedAs = 'rowbench.workflow-panes';

export class PaneSizes {
  #sizes = $state.raw<Sizes>(readSizes());

  /** In percent; undefined until the user has chosen a size. */
  of(pane: Pane): number | undefined {
    return this.#sizes[pane];
  }

  /** @param percent undefined restores the initial size */
  change(pane: Pane, percent: number | undefined): void {
    this.#sizes = { ...this.#sizes, [pane]: percent };
    localStorage.setItem(storedAs, JSON.stringify(this.#sizes));
  }
}

function readSizes(): Sizes {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedAs) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, size]) => size >= 10 && size <= 90));
  } catch {
    return {}; // Another program's text: the panes have their initial sizes.
  }
}
