// The focus of the panes of a page, which are marked with `data-pane`, and of the fields in a form.

/** Moves the focus to the next pane, after the last one to the first: to the pane, else to what takes keys in it. */
export function focusNextPane(isBack: boolean): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(isShown);
  const current = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = isBack ? (current === -1 ? 0 : current) - 1 : current + 1;
  const pane = panes.at(next % panes.length);
  if (pane?.hasAttribute('tabindex')) pane.focus();
  else {
    const parts = pane?.querySelectorAll<HTMLElement>('[data-takes-keys], [tabindex="0"]') ?? [];
    const part = [...parts].find(isShown);
    // The text of an editor is in a shadow tree.
    (part?.shadowRoot?.querySelector<HTMLElement>('[role="textbox"]') ?? part)?.focus();
  }
}

const isShown = (element: HTMLElement): boolean => element.offsetParent !== null;

/** Moves the focus to the first field in an element of a form; it goes past the choice of a kind where it can. */
export function focusFirstField(element: Element | null | undefined): void {
  const fields = [...(element?.querySelectorAll<HTMLElement>('input, [role=textbox], select') ?? [])];
  (fields.find((field) => !field.matches('[aria-label^="Kind of"]')) ?? fields[0])?.focus();
}
