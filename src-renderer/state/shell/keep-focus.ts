// Restores the focus when the focused element is removed: a dialog closes, an action no longer applies, or the user
// leaves a screen. The browser would focus nothing, and users of a keyboard or a screen reader would be lost.

/** Maximum remembered elements; users open fewer dialogs over one another. */
const maxTrail = 30;

/**
 * Restores the focus to the last focused element that still exists in the view, or else to the view itself. The returned
 * function ends this.
 */
export function keepFocus(view: HTMLElement): () => void {
  const trail: Element[] = [];
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    trail.push(target);
    if (trail.length > maxTrail) trail.shift();
  };
  /** The element that gets the focus next: one that is left may be removed before the other one has it. */
  let next: EventTarget | null = null;
  const awaitFocus = ({ relatedTarget }: FocusEvent): void => void (next = relatedTarget);
  const restoreFocus = (): void => {
    const isLost = document.activeElement === document.body || document.activeElement === null;
    // Nothing is restored if no element had the focus, or if the element with the focus still exists.
    if (!isLost || trail.at(-1)?.isConnected !== false) return;
    if (next instanceof Element && next.isConnected) return;
    const last = trail.findLast((element) => element.isConnected && view.contains(element));
    if (last instanceof HTMLElement) last.focus();
    if (document.activeElement === document.body) view.focus();
  };
  const observer = new MutationObserver(restoreFocus);
  document.addEventListener('focusin', remember);
  // Before the handlers that remove the element.
  document.addEventListener('focusout', awaitFocus, { capture: true });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', awaitFocus, { capture: true });
    observer.disconnect();
  };
}

/** True if no particular element has the focus, so that a new list may take it. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'view';

/** Gives a new element the focus, unless the user has focused another one: its keys work on arrival. */
export function takeFreeFocus(element: HTMLElement | null): void {
  if (isFocusFree()) element?.focus({ preventScroll: true });
}
