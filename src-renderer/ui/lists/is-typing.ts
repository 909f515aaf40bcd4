const takesKeys = 'input:not([type=checkbox], [type=radio]), textarea, select, dialog, [data-takes-keys]';

/**
 * True if a key press belongs to a field, a dialog or a menu, so that it must not be taken as a shortcut. An element
 * that takes only some keys for itself names them in `data-keys`.
 */
export const isTyping = ({ target, key }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest(takesKeys) !== null) ||
  (target instanceof HTMLElement && target.dataset['keys']?.split(' ').includes(key) === true) ||
  document.querySelector('dialog[open], :popover-open') !== null;
