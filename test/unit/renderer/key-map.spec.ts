import { expect, it } from 'vitest';
import { destinations, keyGroups } from '../../../src-renderer/state/shell/key-map.ts';
import { keyMeaning, sheetVerbs } from '../../../src-renderer/state/sheet/sheet-keys.ts';

const names: Record<string, string> = {
  '↵': 'Enter',
  Del: 'Delete',
  Space: ' ',
  '←': 'ArrowLeft',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '→': 'ArrowRight',
};

/** The sheet's meaning of a key combination, which is written as in the help. */
function meaningOf(keys: readonly string[]) {
  const key = keys.at(-1) ?? '';
  return keyMeaning({
    key: names[key] ?? key,
    ctrlKey: keys.includes('Ctrl'),
    metaKey: false,
    shiftKey: keys.includes('⇧'),
    altKey: keys.includes('Alt'),
  });
}

it('names every verb of the grid, with keys that do it', () => {
  const grid = keyGroups('Ctrl').find(({ title }) => title === 'In the grid of rows');
  const named = (grid?.keys ?? []).map(({ keys }) => meaningOf(keys));
  const verbs = named.flatMap((meaning) => (meaning?.does === 'verb' ? [meaning.verb] : []));
  expect(new Set(verbs)).toEqual(sheetVerbs);
});

it('gives every destination a key of its own', () => {
  expect(new Set(destinations.map(({ key }) => key)).size).toBe(destinations.length);
});
