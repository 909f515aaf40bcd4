/** True if the paste is unhandled, no dialog is open, and the target is no form field. */
export const isFree = ({ defaultPrevented, target }: ClipboardEvent): boolean =>
  !defaultPrevented &&
  document.querySelector('dialog[open]') === null &&
  !(target instanceof Element && target.closest('input, textarea, select') !== null);
