// Meaning of each key while a sheet has the focus. The editor of a cell has its own keys.

export type SheetVerb =
  | 'edit'
  | 'clear'
  | 'undo'
  | 'redo'
  | 'select-all'
  | 'select-rows'
  | 'select-columns'
  | 'fill-down'
  | 'menu'
  | 'find'
  | 'replace'
  | 'move-up'
  | 'move-down'
  | 'move-left'
  | 'move-right';

export type KeyMeaning =
  | { readonly does: 'step'; readonly key: string; readonly isExtending: boolean; readonly isFar: boolean }
  | { readonly does: 'tab'; readonly by: 1 | -1 }
  | { readonly does: 'type' }
  | { readonly does: 'escape' }
  | { readonly does: 'verb'; readonly verb: SheetVerb };

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const steps = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]);

const verbs: Record<string, SheetVerb> = {
  Enter: 'edit',
  F2: 'edit',
  Delete: 'clear',
  Backspace: 'clear',
  ContextMenu: 'menu',
  'Shift+F10': 'menu',
  'Shift+ ': 'select-rows',
  'Ctrl+ ': 'select-columns',
  'Ctrl+a': 'select-all',
  'Ctrl+d': 'fill-down',
  'Ctrl+f': 'find',
  'Ctrl+h': 'replace',
  'Ctrl+z': 'undo',
  'Ctrl+y': 'redo',
  'Ctrl+Shift+z': 'redo',
  'Shift+Alt+ArrowUp': 'move-up',
  'Shift+Alt+ArrowDown': 'move-down',
  'Shift+Alt+ArrowLeft': 'move-left',
  'Shift+Alt+ArrowRight': 'move-right',
};

/** Actions that have a key. */
export const sheetVerbs: ReadonlySet<SheetVerb> = new Set(Object.values(verbs));

/** Undefined if the sheet does not handle the key. */
export function keyMeaning(event: Key): KeyMeaning | undefined {
  const { shiftKey, altKey } = event;
  const hasControl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const verb = verbs[chord({ key, hasControl, shiftKey, altKey })];
  if (verb !== undefined) return { does: 'verb', verb };
  if (steps.has(key) && !altKey) return { does: 'step', key, isExtending: shiftKey, isFar: hasControl };
  return hasControl || altKey ? letter(event) : (singles[key]?.(shiftKey) ?? letter(event));
}

const singles: Record<string, (isShifted: boolean) => KeyMeaning> = {
  Tab: (isShifted) => ({ does: 'tab', by: isShifted ? -1 : 1 }),
  Escape: () => ({ does: 'escape' }),
};

function letter(event: Key): KeyMeaning | undefined {
  // Ctrl with Alt types characters on many keyboards; an input method reports the key "Process".
  const isLetter = event.key.length === 1 || event.key === 'Process';
  return isLetter && (event.ctrlKey || event.metaKey) === event.altKey ? { does: 'type' } : undefined;
}

type Chord = { readonly key: string; readonly hasControl: boolean } & Pick<Key, 'shiftKey' | 'altKey'>;

const chord = ({ key, hasControl, shiftKey, altKey }: Chord): string =>
  [hasControl ? 'Ctrl+' : '', shiftKey ? 'Shift+' : '', altKey ? 'Alt+' : '', key].join('');
