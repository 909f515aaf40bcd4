const takesKeys = 'input:not([type=checkbox], [type=radio]), textarea, select, dialog, [data-takes-keys]';

/** True if a key press belongs to a field, a dialog or a menu, so that it must not be taken as a shortcut. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest(takesKeys) !== null) ||
  document.querySelector('dialog[open], :popover-open') !== null;
