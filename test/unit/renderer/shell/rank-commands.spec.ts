import { describe, expect, it } from 'vitest';
import { rankCommands, type Command } from '../../../../src-renderer/state/shell/rank-commands.ts';

const command = (title: string, words = ''): Command => ({
  id: title,
  title,
  words,
  section: '',
  act: () => undefined,
});
const all = [
  command('Runs'),
  command('Keys', 'API create'),
  command('Keyboard shortcuts'),
  command('Dark', 'theme'),
];
const titles = (typed: string) => rankCommands(all, typed).map(({ title }) => title);

describe('the palette', () => {
  it('shows everything in its order when nothing is typed', () => {
    expect(titles(' ')).toEqual(['Runs', 'Keys', 'Keyboard shortcuts', 'Dark']);
  });

  it.each([
    ['ke', ['Keys', 'Keyboard shortcuts']],
    ['SHORT', ['Keyboard shortcuts']],
    ['theme', ['Dark']],
    ['keys api', ['Keys']],
    ['kbs', ['Keyboard shortcuts']],
    ['zzz', []],
  ])('finds for %j %j', (typed, found) => {
    expect(titles(typed)).toEqual(found);
  });
});
