// The focused element may be removed: a dialog closes, an action no longer applies, the user leaves a screen. The
// browser then focuses nothing, and users of a keyboard or a screen reader are lost.

/** Maximum remembered elements; users open fewer over one another. */
const longestTrail = 30;

/**
 * Gives the focus back to what had it last in the view and still is there, or else to the view itself. Until the
 * returned function is called.
 */
export function keepFocus(view: HTMLElement): () => void {
  const trail: Element[] = [];
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    trail.push(target);
    if (trail.length > longestTrail) trail.shift();
  };
  const mend = (): void => {
    const isLost = document.activeElement === document.body || document.activeElement === null;
    // Where nothing had it, or what had it only gave it up, nothing was taken away.
    if (!isLost || trail.at(-1)?.isConnected !== false) return;
    const last = trail.findLast((element) => element.isConnected && view.contains(element));
    if (last instanceof HTMLElement) last.focus();
    if (document.activeElement === document.body) view.focus();
  };
  const observer = new MutationObserver(mend);
  document.addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    observer.disconnect();
  };
}

/** Whether nothing in particular has it, so that a list that has just come may take it. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'view';
