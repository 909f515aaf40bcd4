/** Whether nobody has taken the paste, and nothing that takes text is where it came. */
export const isFree = ({ defaultPrevented, target }: ClipboardEvent): boolean =>
  !defaultPrevented &&
  document.querySelector('dialog[open]') === null &&
  !(target instanceof Element && target.closest('input, textarea, select') !== null);
