import { expect, it } from 'vitest';
import { keyGroups } from '../../../../src-renderer/state/shell/key-groups.ts';
import * as keyMap from '../../../../src-renderer/state/shell/key-map.ts';
import { keyMeaning, sheetVerbs } from '../../../../src-renderer/state/entry/grid/sheet-keys.ts';

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
  const grid = keyGroups('Ctrl', keyMap).find(({ title }) => title === 'In the grid of rows');
  const named = (grid?.keys ?? []).map(({ keys }) => meaningOf(keys));
  const verbs = named.flatMap((meaning) => (meaning?.does === 'verb' ? [meaning.verb] : []));
  expect(new Set(verbs)).toEqual(sheetVerbs);
});

it('gives every destination a key of its own', () => {
  const keys = keyMap.destinations.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});
