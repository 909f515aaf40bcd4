/** Commits the text that is being typed: a field reports its text when it loses the focus. */
export function commitTypedText(field: Element | null = document.activeElement): void {
  if (!(field instanceof HTMLElement)) return;
  field.blur();
  field.focus();
}
