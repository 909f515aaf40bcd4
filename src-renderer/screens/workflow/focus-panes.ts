// The focus of the panes of a page. A pane is marked with `data-pane`, what gets the focus in it with `data-pane-focus`.

/** Moves the focus to the next pane, after the last one to the first: to what is marked in it, else to the pane. */
export function focusNextPane(isBack: boolean): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(isShown);
  const current = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = isBack ? (current === -1 ? 0 : current) - 1 : current + 1;
  const pane = panes.at(next % panes.length);
  const marked = [...(pane?.querySelectorAll<HTMLElement>('[data-pane-focus]') ?? [])].find(isShown);
  // The text of an editor is in a shadow tree.
  const text = marked?.shadowRoot?.querySelector<HTMLElement>('[role="textbox"]');
  (text ?? marked ?? pane)?.focus();
}

const isShown = (element: HTMLElement): boolean => element.offsetParent !== null;
